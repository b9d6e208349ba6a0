// The phone's strip: the stones just behind and ahead of the own flag.
import { html, svg, nothing } from "../../../vendor/lit.js";
import { placed } from "../parts/symbol.js";
import { gettext, fill } from "../parts/words.js";
import { flag, squareLook, SEATS } from "./look.js";

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
