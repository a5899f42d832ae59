/* Search in pages opened as files. Browsers start no Worker from file:// addresses, so the worker's script
 * runs in a hidden frame instead. The frame has the functions of a worker that the search uses. */
if (location.protocol === "file:") {
  window.Worker = class {
    constructor(script) {
      this.onmessage = null;
      this.onerror = null;
      this.waiting = [];
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      this.inside = this.frame.contentWindow;
      this.inside.postMessage = (data) => this.later(() => this.onmessage?.({ data: structuredClone(data) }));
      const element = this.inside.document.createElement("script");
      element.src = new URL(script, location.href);
      element.onload = () => {
        this.loaded = true;
        this.waiting.splice(0).forEach((data) => this.inside.onmessage({ data }));
      };
      element.onerror = (event) => this.onerror?.(event);
      this.inside.document.body.append(element);
    }

    /* Like a real worker: the other side gets a copy, and later. */
    later(deliver) {
      setTimeout(() => this.frame.isConnected && deliver());
    }

    postMessage(data) {
      const copy = structuredClone(data);
      if (this.loaded) this.later(() => this.inside.onmessage({ data: copy }));
      else this.waiting.push(copy);
    }

    terminate() {
      this.frame.remove();
    }
  };
}
