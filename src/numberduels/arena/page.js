
"use strict";
// A game: n line, g game, p players, r result, e end, x ends by seat, f message and q seat and cause of a
// forfeit, s seed, t record, m moves, z boards. A move: m move, s seat, v verdict, b and a value before and
// after, k and l moves that keep and lose, d margin given, r moves to the end, o positions of a proof, i better
// ones, w words.
(function () {
  var data = JSON.parse(document.getElementById("data").textContent);
  var games = data.games, fits = [], first = 0, chosen = -1, SIZE = 25, step = null;
  function el(id) { return document.getElementById(id); }
  function make(name, text, kind) {
    var made = document.createElement(name);
    if (text !== undefined && text !== null) made.textContent = text;
    if (kind) made.className = kind;
    return made;
  }
  function put(parent) {
    for (var i = 1; i < arguments.length; i++) parent.appendChild(arguments[i]);
    return parent;
  }
  function faulty(move) { return data.mistakes.indexOf(move.v) >= 0; }
  function counts(game, seat) {
    var player = el("player").value;
    return !player || who(game, seat) === player;
  }
  function faults(game) {
    return (game.m || []).filter(function (move) {
      return move.m !== null && faulty(move) && counts(game, move.s);
    }).length;
  }
  function forfeit(game) { return game.q && counts(game, game.q[0]) ? "forfeit: " + game.q[1] : ""; }
  function fitting(game) {
    var player = el("player").value, other = el("other").value, end = el("end").value;
    if (el("game").value && game.g !== el("game").value) return false;
    if (el("faulty").checked && !faults(game) && !forfeit(game)) return false;
    return game.p.some(function (name, seat) {
      if (player && name !== player) return false;
      if (other && (game.p.length < 2 || game.p[1 - seat] !== other)) return false;
      return !end || Boolean(game.x && (player || seat === 0) && game.x[seat] === end);
    });
  }
  function filter() {
    fits = [];
    games.forEach(function (game, place) { if (fitting(game)) fits.push(place); });
    first = 0;
    list();
  }
  function list() {
    var body = document.querySelector("#list tbody");
    body.textContent = "";
    fits.slice(first, first + SIZE).forEach(function (place) {
      var game = games[place], row = make("tr"), head = make("th"), open = make("button");
      var kind = game.g.split(":"), size = kind.slice(1).join(" ");
      put(open, make("span", kind[0]));
      if (size) put(open, make("small", size));
      head.scope = "row";
      open.type = "button";
      open.setAttribute("aria-label", "Line " + game.n + ": " + game.g + ", " + game.p.join(" against "));
      open.addEventListener("click", function () { show(place, true); });
      put(row, put(head, open));
      [0, 1].forEach(function (seat) { put(row, put(make("td"), make("bdi", game.p[seat] || "-"))); });
      put(row, make("td", game.x ? game.r : "one decision"));
      var bad = [faults(game), forfeit(game)].filter(Boolean).join(", ");
      put(row, make("td", bad ? "✗ " + bad : "none", bad ? "fault" : "pale"), make("td", game.e || "-"));
      if (place === chosen) row.setAttribute("aria-current", "true");
      put(body, row);
    });
    var player = el("player").value;
    el("whose").textContent = player ? "Mistakes of " + player : "Mistakes of both";
    var last = Math.min(first + SIZE, fits.length);
    el("count").textContent = fits.length
      ? (first + 1) + " to " + last + " of " + fits.length + " games that fit; " + games.length + " in all."
      : "No game fits; " + games.length + " in all.";
    el("back").disabled = first === 0;
    el("on").disabled = last >= fits.length;
  }
  function who(game, seat) { return game.p[seat] === undefined ? game.p[0] : game.p[seat]; }
  function side(game, move) {
    if (!move.a) return "";
    if (move.a === "draw") return "nobody";
    var seat = move.a === "win" ? move.s : 1 - move.s;
    return "Player " + (seat + 1) + (game.p.length > 1 ? " (" + who(game, seat) + ")" : "");
  }
  function svg(name, attributes, text) {
    var made = document.createElementNS("http://www.w3.org/2000/svg", name);
    Object.keys(attributes).forEach(function (key) { made.setAttribute(key, attributes[key]); });
    if (text) made.textContent = text;
    return made;
  }
  function course(game) {
    var worth = { win: 1, draw: 0, loss: -1 }, spots = [];
    game.m.forEach(function (move, place) {
      if (move.a in worth && move.m !== null) {
        spots.push([place, worth[move.a] * (move.s ? -1 : 1), move]);
      }
    });
    if (!spots.length) return null;
    var count = Math.max(game.m.length, 1), high = 110, opened = spots[0][2];
    var room = window.innerWidth < 640 ? 260 : 500;  // so that words stay readable on a phone
    function x(place) { return 112 + room * (place + 1) / count; }
    function y(value) { return 52 - 34 * value; }
    var drawn = svg("svg", { viewBox: "0 0 " + (room + 140) + " " + high, "class": "course", role: "img",
      "aria-label": "Who wins at best play after each move; the table below says the same" });
    [[1, "Player 1 wins"], [0, "nobody wins"], [-1, "Player 2 wins"]].forEach(function (level) {
      put(drawn, svg("line", { x1: 104, x2: room + 124, y1: y(level[0]), y2: y(level[0]) }),
        svg("text", { x: 96, y: y(level[0]) + 4, "text-anchor": "end" }, level[1]));
    });
    var way = spots.map(function (spot) { return [spot[0], spot[1]]; });
    if (opened.b in worth) way.unshift([spots[0][0] - 1, worth[opened.b] * (opened.s ? -1 : 1)]);
    put(drawn, svg("polyline", { "class": "way", points: way.map(function (spot) {
      return x(spot[0]).toFixed(1) + "," + y(spot[1]);
    }).join(" ") }));
    spots.forEach(function (spot) {
      var a = x(spot[0]), b = y(spot[1]), mark;
      if (faulty(spot[2])) {
        mark = svg("path", { "class": "bad", d: "M" + a + " " + (b - 8) + "l8 8l-8 8l-8 -8z" });
      } else if (spot[2].s === 0) {
        mark = svg("circle", { "class": "one", cx: a, cy: b, r: 5 });
      } else {
        mark = svg("rect", { "class": "two", x: a - 4.5, y: b - 4.5, width: 9, height: 9 });
      }
      put(drawn, mark);
      if (count * 20 < room) {
        put(drawn, svg("text", { x: a, y: high - 4, "text-anchor": "middle" }, String(spot[0] + 1)));
      }
    });
    return drawn;
  }
  function words(move) {
    var cell = make("td");
    if (!move.w) return cell;
    var bad = move.w.filter(function (each) { return each[1]; }).length;
    var more = make("details");
    put(more, make("summary", move.w.length + (move.w.length > 1 ? " answers" : " answer") +
      (bad ? ", " + bad + " bad" : "")));
    move.w.forEach(function (each) {
      if (each[2]) {
        put(more, put(put(make("details"), make("summary", "reasoning")), make("pre", each[2])));
      }
      put(more, make("pre", each[0] || "(no answer)"));
      if (each[1]) put(more, make("p", "✗ " + each[1], "fault"));
    });
    return put(cell, more);
  }
  function verdict(game, move) {
    if (move.m === null) {
      return game.q ? make("td", "✗ no move: forfeit", "fault") : make("td", "- no move: abandoned", "pale");
    }
    if (!move.v) return make("td", move.s === undefined ? "" : "drawn, nobody chose", "pale");
    if (faulty(move)) return make("td", "✗ " + move.v, "fault");
    if (move.v === "not judged" || move.v === "forced") return make("td", "- " + move.v, "pale");
    return make("td", "✓ " + move.v, "good");
  }
  function value(move) {
    if (!move.b) return "";
    var told = move.b + (move.a ? " → " + move.a : "");
    if (move.d) told += ", gave away " + move.d;
    if (move.r !== undefined) told += ", " + move.r + " to the end";
    if (move.o !== undefined) told += ", a proof of " + move.o + " positions";
    return told;
  }
  function table(game) {
    var box = make("div", null, "wide"), made = make("table"), head = make("tr"), body = make("tbody");
    box.tabIndex = 0;
    box.setAttribute("role", "region");
    box.setAttribute("aria-label", "Moves of the chosen game");
    put(made, put(make("caption"),
      make("span", "Each move: its verdict, and the value for who made it, before and after")));
    var names = ["No.", "Player", "Move", "Verdict", "Value", "Choices", "Better", "Wins now", "Words"];
    names.forEach(function (name) {
      var cell = make("th", name);
      cell.scope = "col";
      put(head, cell);
    });
    game.m.forEach(function (move, place) {
      var row = make("tr"), number = make("th"), go = make("button", place + 1);
      number.scope = "row";
      go.type = "button";
      go.setAttribute("aria-label", "Show move " + (place + 1));
      go.addEventListener("click", function () { step(place + 1); });
      put(number, go);
      put(row, number, put(make("td"), make("bdi", move.s === undefined ? "" :
        (move.s === 0 ? "●\u00a0" : "■\u00a0") + who(game, move.s))));
      put(row, put(make("td"), make("strong", move.m === null ? "none" : move.m)), verdict(game, move));
      put(row, make("td", value(move)));
      put(row, make("td", move.v && move.k !== undefined && move.b ?
        move.k + " keep, " + (move.l || 0) + " lose" : ""));
      put(row, make("td", move.i || ""), make("td", side(game, move)), words(move));
      put(body, row);
    });
    return put(box, put(made, put(make("thead"), head), body));
  }
  function told(game, at) {
    if (!at) return "Before the first move.";
    var move = game.m[at - 1], bits = [];
    var name = move.s === undefined ? "" : "Player " + (move.s + 1) + " (" + who(game, move.s) + "): ";
    bits.push(name + (move.m === null ? "no move" : move.m), verdict(game, move).textContent, value(move));
    if (side(game, move)) bits.push("wins now: " + side(game, move));
    return "Move " + at + " of " + game.m.length + ", " + bits.filter(Boolean).join("; ") + ".";
  }
  function drawn(text) {
    // Two long lines of about one length are a picture: what stands in its columns must stay there.
    return text.split("\n").some(function (line, place, lines) {
      return place > 0 && line.length > 24 && Math.abs(line.length - lines[place - 1].length) < 3;
    });
  }
  function replay(game, rows) {
    var box = make("section", null, "replay"), live = make("div"), words = make("p"), board = make("pre");
    var turn = make("p", null, "turn"), buttons = {}, now = 0, most = game.m.length;
    box.setAttribute("aria-label", "Replay");
    live.setAttribute("aria-live", "polite");
    live.setAttribute("aria-atomic", "true");
    board.className = "board";
    board.tabIndex = 0;
    board.setAttribute("role", "region");
    board.setAttribute("aria-label", "The board");
    step = function (at) {
      now = Math.max(0, Math.min(most, at));
      words.textContent = told(game, now);
      if (game.z) {
        // Who made no move has changed no board.
        board.textContent = game.z[Math.min(now, game.z.length - 1)];
        board.classList.toggle("picture", drawn(board.textContent));
      }
      buttons["Start"].disabled = buttons["Back"].disabled = now === 0;
      buttons["Next"].disabled = buttons["End"].disabled = now === most;
      rows.forEach(function (row, place) {
        if (place + 1 === now) row.setAttribute("aria-current", "step");
        else row.removeAttribute("aria-current");
      });
    };
    step.by = function (way) { step(now + way); };
    [["Start", -most], ["Back", -1], ["Next", 1], ["End", most]].forEach(function (way) {
      var button = buttons[way[0]] = make("button", way[0]);
      button.type = "button";
      button.addEventListener("click", function () {
        step.by(way[1]);
        if (button.disabled) box.focus();
      });
      put(turn, button);
    });
    box.tabIndex = -1;
    put(live, words);
    if (game.z) put(live, board);
    else if (data.drawn) {
      put(live, make("p", "There is no board: the record of this game cannot be read.", "pale"));
    }
    put(box, turn, live, make("p", "The arrow keys left and right step too.", "pale hint"));
    step(game.x ? 0 : most - 1);
    return box;
  }
  function show(place, go) {
    var game = games[place], box = el("chosen");
    chosen = place;
    box.textContent = "";
    var title = make("h3");
    put(title, document.createTextNode(game.g + ": "), make("bdi", game.p[0]));
    if (game.p.length > 1) put(title, document.createTextNode(" against "), make("bdi", game.p[1]));
    put(box, title);
    put(box, make("p", "Line " + game.n + (game.x ? ", result " + game.r : ", one decision") +
      (game.e ? " (" + game.e + ")" : "") + (game.s ? ", seed " + game.s : "") + "."));
    if (game.f) put(box, make("pre", game.f, "fault"));
    var picture = game.m && course(game);
    if (picture) {
      put(box, picture, make("p", "● Player 1, ■ Player 2, ◆ a mistake. " +
        "The line is up where Player 1 wins at best play.", "pale"));
    }
    step = null;
    if (game.m) {
      var moves = table(game);
      put(box, replay(game, Array.prototype.slice.call(moves.querySelectorAll("tbody tr"))), moves);
    } else {
      put(box, make("p", "No move was made."));
    }
    if (game.t) {
      var record = make("summary", "The record, to save and replay");
      put(box, put(make("details"), record, make("pre", game.t)));
    }
    var turn = make("p", null, "turn"), at = fits.indexOf(place);
    [["Previous game", -1], ["Next game", 1]].forEach(function (way) {
      var to = fits[at + way[1]], button = make("button", way[0]);
      button.type = "button";
      button.disabled = at < 0 || to === undefined;
      button.addEventListener("click", function () {
        first = Math.floor((at + way[1]) / SIZE) * SIZE;
        show(to, true);
      });
      put(turn, button);
    });
    put(box, turn);
    box.hidden = false;
    list();
    if (go) {
      try { history.replaceState(null, "", "#line-" + game.n); } catch (fault) { /* not from a file */ }
      box.focus();
      box.scrollIntoView();
    }
  }
  function named() {
    var found = /^#line-(\d+)$/.exec(location.hash);
    if (!found) return;
    games.some(function (game, place) {
      if (game.n !== Number(found[1])) return false;
      show(place, true);
      return true;
    });
  }
  el("chosen").addEventListener("keydown", function (event) {
    var way = { ArrowLeft: -1, ArrowRight: 1 }[event.key], on = event.target;
    if (!step || !way || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    // What scrolls keeps its arrow keys.
    if (on !== el("chosen") && on.scrollWidth > on.clientWidth + 1 && on.tagName !== "BUTTON") return;
    event.preventDefault();
    step.by(way);
  });
  el("filters").addEventListener("submit", function (event) { event.preventDefault(); });
  el("filters").addEventListener("change", filter);
  el("back").addEventListener("click", function () { first -= SIZE; list(); });
  el("on").addEventListener("click", function () { first += SIZE; list(); });
  window.addEventListener("hashchange", named);
  el("live").hidden = false;
  filter();
  named();
})();
