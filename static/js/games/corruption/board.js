// The whole board: the loop of stones, the river with its fish, both villages, the flags.
import { svg, html, nothing } from "../../../vendor/lit.js";
import { href, placed } from "../parts/symbol.js";
import { gettext, fill } from "../parts/words.js";
import { boxes, road, roadPath, stones, trailPath } from "./geometry.js";
import { bridges, fish, water } from "./river.js";
import { flag, squareLook, SEATS } from "./look.js";
import { villages } from "./village.js";

const plans = new WeakMap(); // of the squares of a board, by shape
const INWARD = 0.25; // of a flag's size, from the edge of its stone to its middle
export const HALO = 0.64; // of a flag's size: the radius of its disc
const NOTHING_NEW = new Set();

// Road and stones of a board in a box, worked out once.
export const plan = (content, shape, mirrored) => {
  const key = `${shape} ${mirrored}`;
  if (!plans.has(content.squares)) plans.set(content.squares, new Map());
  const known = plans.get(content.squares);
  if (!known.has(key)) {
    const box = boxes[shape];
    const way = road(box, mirrored);
    const places = stones(content.squares, way);
    const smallest = Math.min(...places.map((stone) => stone.size));
    known.set(key, { box, way, places, roadWidth: 1.22 * smallest, flagSize: smallest * 0.71 });
  }
  return known.get(key);
};

// Where a team's flag stands: inward of its square, beside the other one if both are there.
export const flagPlace = ({ places, way, flagSize }, positions, seat) => {
  const stone = places[positions[seat]];
  const shared = positions[0] === positions[1];
  const aside = shared ? (seat === 0 ? -0.72 : 0.72) * flagSize : 0;
  const spot = shared ? way.at(stone.s + aside) : stone;
  const inward = stone.size / 2 + INWARD * flagSize;
  return { x: spot.x + spot.inX * inward, y: spot.y + spot.inY * inward };
};

const stone = (content, letters, stoneAt, square, say) => {
  const look = squareLook(content, square);
  const { x, y, size } = stoneAt;
  const badge = size * 0.19;
  return svg`<g class=${`sq ${look.css}`} @click=${() => say(square.index)} @pointerenter=${(event) => event.pointerType === "mouse" && say(square.index)} @pointerleave=${(event) => event.pointerType === "mouse" && say(null)}>
    <circle class="disc" cx=${x.toFixed(1)} cy=${y.toFixed(1)} r=${(size / 2).toFixed(1)}></circle>
    ${placed(look.symbol, x, y, size * (size > 55 ? 0.6 : 0.62))}
    ${look.team === undefined ? nothing : svg`
      <circle class="letterbg" cx=${(x + size * 0.33).toFixed(1)} cy=${(y + size * 0.33).toFixed(1)} r=${badge.toFixed(1)}></circle>
      <text class="lettertx" x=${(x + size * 0.33).toFixed(1)} y=${(y + size * 0.33 + badge * 0.48).toFixed(1)} font-size=${(badge * 1.38).toFixed(1)} text-anchor="middle">${letters[look.team]}</text>`}
  </g>`;
};

const nameplate = ({ box, places }, square) => {
  const { x, y, size } = places[square.index];
  const words = `${square.index} · ${square.label}`;
  const width = words.length * 8.4 + 24;
  const left = Math.min(Math.max(x - width / 2, 4), box.width - width - 4);
  const top = y > box.height / 2 ? y - size / 2 - 38 : y + size / 2 + 8;
  return svg`<g class="nameplate"><rect x=${left.toFixed(1)} y=${top.toFixed(1)} width=${width.toFixed(1)} height="30" rx="15"></rect>
    <text x=${(left + width / 2).toFixed(1)} y=${(top + 20).toFixed(1)} font-size="15" text-anchor="middle">${words}</text></g>`;
};

const towns = ({ box }, content, teams, mirrored) =>
  teams.map((team, seat) => {
    const x = (seat === 0) !== mirrored ? box.width * 0.26 : box.width * 0.74;
    const built = team.paid.filter((paid) => paid !== null).length;
    return svg`<g class=${SEATS[seat]} text-anchor="middle">
      ${placed(`council_${SEATS[seat]}`, x, box.height / 2 - 16, 64, "council")}
      <text class="t-team" x=${x} y=${box.height / 2 + 42} font-size="20">${built}/${team.paid.length}</text></g>`;
  });

export const summary = (content, observation, names) =>
  fill(gettext("Board with %(count)s squares. %(places)s Fish in the river: %(river)s."), {
    count: content.squares.length,
    places: observation.teams
      .map((team, seat) => fill(gettext("%(team)s stands on square %(index)s, %(square)s."), { team: names[seat], index: team.position, square: content.squares[team.position].label }))
      .join(" "),
    river: observation.river,
  });

// `shown` has: observation, content, names, letters, shape ("wide" or "tall"), mirrored, trail {seat, from, to} or null,
// named (index of the square whose name is shown), say(index) and fresh (what was bought just now, see bought).
export const board = ({ observation, content, names, letters, shape, mirrored, trail, named, say, fresh = NOTHING_NEW }) => {
  const drawn = plan(content, shape, mirrored);
  const { box, way, places, roadWidth, flagSize } = drawn;
  const positions = observation.teams.map((team) => team.position);
  const bank = content.squares.find((square) => square.kind === "central_bank");
  const at = places[bank.index];
  const here = places[positions[observation.turn]];
  const tag = { x: at.x + at.size * 0.42, y: at.y + at.size * 0.38 };
  return html`<svg class="board board--${shape}" viewBox="0 0 ${box.width} ${box.height}" role="img" aria-label=${summary(content, observation, names)} direction=${mirrored ? "rtl" : "ltr"} data-board=${shape}>
    <rect class="ground" x=${box.margin} y=${box.margin} width=${box.width - 2 * box.margin} height=${box.height - 2 * box.margin} rx=${box.radius}></rect>
    ${water(box)}
    ${fish(box, observation.river, content.fish_total, roadWidth)}
    ${shape === "wide" ? villages(box, content, observation.teams, mirrored, fresh) : towns(drawn, content, observation.teams, mirrored)}
    <path class="road-edge" d=${roadPath(box)} stroke-width=${(roadWidth + 3).toFixed(1)}></path>
    <path class="road" d=${roadPath(box)} stroke-width=${roadWidth.toFixed(1)}></path>
    ${bridges(box, roadWidth)}
    ${content.squares.map((square) => stone(content, letters, places[square.index], square, say))}
    <g text-anchor="middle" class="bank-tag">
      <rect class="pricetag" x=${(tag.x - 16).toFixed(1)} y=${(tag.y - 11).toFixed(1)} width="32" height="22" rx="11"></rect>
      <text class="t-num" x=${tag.x.toFixed(1)} y=${(tag.y + 6).toFixed(1)} font-size="17">${observation.bank}</text></g>
    ${trail ? svg`<path class="trail" d=${trailPath(way, places[trail.from].s, places[trail.to].s, roadWidth / 2 + 9)}></path>` : nothing}
    ${observation.phase === "over" ? nothing : svg`<circle class="here" cx=${here.x.toFixed(1)} cy=${here.y.toFixed(1)} r=${(here.size / 2 + 4).toFixed(1)}></circle>`}
    ${[1 - observation.turn, observation.turn].map((seat) => {
      const { x, y } = flagPlace(drawn, positions, seat);
      return svg`<g class=${`flagspot ${SEATS[seat]}`} data-flag=${seat} transform=${`translate(${x.toFixed(1)} ${y.toFixed(1)})`}>
        <circle class="halo" r=${(flagSize * HALO).toFixed(1)}></circle>${placed(flag(seat), 0, 0, flagSize, "flagpin")}</g>`;
    })}
    ${named === null || named === undefined ? nothing : nameplate(drawn, content.squares[named])}
  </svg>`;
};

// What the events of the last answer built, as "seat property".
export const bought = (news) => new Set(news.filter(({ event }) => event.type === "bought").map(({ event }) => `${event.seat} ${event.property}`));

// The board as a list of facts, for the dialog.
export const squareList = (content, observation, names) => html`
  <ol class="squares" start="0">
    ${content.squares.map((square) => {
      const look = squareLook(content, square);
      const guests = observation.teams.flatMap((team, seat) => (team.position === square.index ? [names[seat]] : []));
      return html`<li class="squares__one ${look.css}"><span class="squares__stone"><svg class="sym" aria-hidden="true"><use href=${href(look.symbol)}></use></svg></span>
        <span class="num muted">${square.index}</span> <span>${square.label}</span>${guests.length ? html`<b class="end small">${fill(gettext("%(teams)s here"), { teams: guests.join(", ") })}</b>` : nothing}</li>`;
    })}
  </ol>`;

// -- the phone's strip: the stones just behind and ahead of the own flag ----------------------------------------

const BEHIND = 3;
const SHOWN = 8;
const STEP = 48;
const WIDTH = 360;

export const pathStrip = ({ content, observation, seat, mirrored }) => {
  const count = content.squares.length;
  const position = observation.teams[seat].position;
  const around = (offset) => content.squares[(((position + offset) % count) + count) % count];
  const x = (offset) => {
    const left = WIDTH / 2 + offset * STEP;
    return mirrored ? WIDTH - left : left;
  };
  const label = fill(gettext("You are on %(here)s, square %(index)s. Ahead: %(ahead)s."), {
    here: content.squares[position].label,
    index: position,
    ahead: [1, 2, 3, 4, 5, 6].map((offset) => around(offset).label).join(", "),
  });
  return html`<svg class="board pathstrip" viewBox="0 0 360 78" role="img" aria-label=${label}>
    <rect class="strip-road" x="-400" y="22" width="1160" height="46"></rect>
    ${Array.from({ length: SHOWN + 1 }, (_, i) => i - BEHIND - 1).map((offset) => {
      const square = around(offset);
      const look = squareLook(content, square);
      const r = offset === 0 ? 25 : 20;
      const guests = observation.teams.flatMap((team, other) => (other !== seat && team.position === square.index ? [other] : []));
      return svg`<g class=${`sq ${look.css}`}><circle class="disc" cx=${x(offset)} cy="45" r=${r}></circle>${placed(look.symbol, x(offset), 45, r * 1.2)}</g>
        ${offset === 0 ? svg`<circle class="here" cx=${x(0)} cy="45" r="28"></circle>` : nothing}
        ${guests.map((other) => pin(other, x(offset) + (mirrored ? -20 : 20), 17, 13))}`;
    })}
    ${pin(seat, x(0) + (mirrored ? 27 : -27), 20, 17)}
  </svg>`;
};

const pin = (seat, x, y, r) => svg`<g class=${SEATS[seat]}><circle class="halo" cx=${x} cy=${y} r=${r}></circle>${placed(flag(seat), x, y, r * 1.4, "flagpin")}</g>`;
