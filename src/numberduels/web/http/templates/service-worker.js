// Keeps one page for the time without a connection, and shows notifications. Nothing else is cached: games are
// on the server.

const CACHE = "offline-{{ version }}";
const PAGE = "/offline";

async function keep() {
  const cache = await caches.open(CACHE);
  const answer = await fetch(PAGE, { cache: "reload" });
  const files = (await answer.clone().text()).match(/\/static\/[^"]+/g) || [];
  await cache.put(PAGE, answer);
  await cache.addAll([...new Set(files)]);
}

async function activate() {
  for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name);
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

/** The page from the server; the offline page if there is no connection. */
async function visit(event) {
  try {
    return (await event.preloadResponse) || (await fetch(event.request));
  } catch {
    return caches.match(PAGE, { cacheName: CACHE });
  }
}

// What is neither a page nor a file goes to the server without waking this worker, in browsers that can be told so:
// a move would wait for it.
const PASSED_ON = { condition: { not: { or: [{ requestMode: "navigate" }, { urlPattern: "/static/*" }] } }, source: "network" };

self.addEventListener("install", (event) => {
  event.waitUntil(Promise.all([keep(), event.addRoutes?.(PASSED_ON)]));
  self.skipWaiting();
});
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("fetch", (event) => {
  if (event.request.mode === "navigate") event.respondWith(visit(event));
  // The style of the offline page. With a connection, files never pass through here.
  else if (!navigator.onLine && new URL(event.request.url).pathname.startsWith("/static/")) {
    event.respondWith(caches.match(event.request, { cacheName: CACHE }).then((found) => found || fetch(event.request)));
  }
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const url = new URL(event.notification.data.url, location.origin).href;
  event.waitUntil((async () => {
    const open = await self.clients.matchAll({ type: "window" });
    const same = open.find((each) => each.url.split(/[?#]/)[0] === url);
    return same ? same.focus() : self.clients.openWindow(url);
  })());
});
