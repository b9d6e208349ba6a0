// The villages: every category a quarter, every property a plot that shows what is missing and its price.
import { html, svg, nothing } from "../../../vendor/lit.js";
import { placed, sym } from "../parts/symbol.js";
import { gettext, fill, fishWords } from "../parts/words.js";
import { quarters } from "./geometry.js";
import { SEATS, categoryClass, propertySymbol } from "./look.js";

const PLOT = 76;
const ROW = 117;
const SIDE = 97; // free beside a village, for the flags that stand at the road
const WIDE = 280;
const NAME = 13.5;
const NAME_SMALLEST = 11;

// Both villages on the wide board, beside the river.
// `fresh` names what was bought just now, as "seat property".
export const villages = (box, board, teams, mirrored, fresh) => {
  const plan = quarters(board.categories);
  const width = plan.columns * PLOT - 7;
  const height = plan.rows * ROW - 12;
  const room = { width: WIDE, height: box.height - 212 };
  const scale = Math.min(1, room.width / width, room.height / height);
  const top = (box.height - height * scale) / 2;
  return teams.map((team, seat) => {
    const left = (seat === 0) !== mirrored ? SIDE : box.width - SIDE - room.width;
    return svg`<g transform=${`translate(${left} ${top.toFixed(1)}) scale(${scale.toFixed(3)})`}>${village(plan, board, team, seat, mirrored ? width : null, fresh)}</g>`;
  });
};

// One village in a picture of its own.
export const wholeVillage = (board, team, seat, mirrored) => {
  const plan = quarters(board.categories);
  const [width, height] = [plan.columns * PLOT - 7, plan.rows * ROW - 12];
  return html`<svg class="board" viewBox="0 0 ${width} ${height}" aria-hidden="true" direction=${mirrored ? "rtl" : "ltr"}>${village(plan, board, team, seat, mirrored ? width : null, new Set())}</svg>`;
};

const village = (plan, board, team, seat, flipWidth, fresh) => {
  const x = (column, size) => (flipWidth === null ? column * PLOT : flipWidth - column * PLOT - size);
  return svg`
    ${plan.quarters.map(({ category, row, column, size }) => quarter(board, category, team, x(column, size * PLOT - 7), row * ROW, size, flipWidth !== null, (id) => fresh.has(`${seat} ${id}`)))}
    ${plan.council && team.council !== false
      ? svg`<g class=${SEATS[seat]}>${placed(`council_${SEATS[seat]}`, x(plan.council.column, 69) + 34.5, plan.council.row * ROW + 54, 69, "council")}</g>`
      : nothing}`;
};

// A long name in a quarter of one plot is written smaller, and closer where that is not enough.
const quarterName = (name, x, y, room) => {
  const wide = (size) => name.length * size * 0.6;
  const size = Math.max(NAME_SMALLEST, Math.min(NAME, (NAME * room) / wide(NAME)));
  return svg`<text class="t-cat" x=${x} y=${y} font-size=${size.toFixed(1)} text-anchor="start" textLength=${wide(size) > room ? room : nothing} lengthAdjust="spacingAndGlyphs">${name}</text>`;
};

const quarter = (board, category, team, left, top, size, flipped, isFresh) => {
  const width = size * PLOT - 7;
  const built = category.properties.map((id) => owns(board, team, id));
  const done = built.every(Boolean);
  return svg`<g class=${categoryClass(board, category.id)}>
    <rect class=${`quarter ${done ? "done" : ""}`} x=${left} y=${top} width=${width} height="105" rx="12"></rect>
    ${quarterName(category.label, flipped ? left + width - 9 : left + 9, top + 17, size > 1 && done ? width - 34 : width - 14)}
    ${done ? placed("i-check", flipped ? left + 17 : left + width - 16, size > 1 ? top + 13 : top + 93, 17.6, "tick") : nothing}
    ${category.properties.map((id, i) => {
      const place = flipped ? size - 1 - i : i;
      const middle = left + place * PLOT + 34.5;
      if (built[i]) {
        const house = placed(propertySymbol(id), middle, top + 61, 55, "built");
        return isFresh(id) ? svg`<g class="fresh">${house}</g>` : house; // an svg of its own would not rise from its foot
      }
      return svg`<rect class="plot" x=${middle - 30.5} y=${top + 23} width="61" height="77" rx="9"></rect>
        ${placed(propertySymbol(id), middle, top + 61, 55, "ghost")}
        <text class="t-price" x=${middle} y=${top + 69} font-size="18" text-anchor="middle">${property(board, id).price}</text>`;
    })}
  </g>`;
};

export const property = (board, id) => board.properties.find((item) => item.id === id);

const owns = (board, team, id) => team.paid[board.properties.findIndex((item) => item.id === id)] !== null;

// Both villages as lists, for the phone and for those who read with their ears.
export const villageLists = (board, teams, names) => html`
  <div class="villages">
    ${teams.map((team, seat) => html`
      <section class="village ${SEATS[seat]}" aria-labelledby=${`village-${seat}`}>
        <h2 class="team-name" id=${`village-${seat}`}>${sym(`council_${SEATS[seat]}`, "hall")}<span>${names[seat]}</span>
          <span class="end num">${fill(gettext("%(built)s of %(all)s built"), { built: team.paid.filter((paid) => paid !== null).length, all: team.paid.length })}</span></h2>
        ${team.donations.length ? html`<p class="row wrapping small"><span class="count">${sym("donation")}${gettext("Donations held:")}</span>${team.donations.map((id) => {
          const category = board.donation.find((card) => card.id === id).category;
          return html`<span class="tag ${categoryClass(board, category)}">${board.categories.find((one) => one.id === category).label}</span>`;
        })}</p>` : nothing}
        <ul class="village__quarters">
          ${board.categories.map((category) => {
            const done = category.properties.every((id) => owns(board, team, id));
            return html`<li class="village__quarter ${categoryClass(board, category.id)} ${done ? "done" : ""}">
              <h3>${category.label}${done ? html`${sym("i-check")}<span class="vh">${gettext("complete")}</span>` : nothing}</h3>
              <ul>${category.properties.map((id) => {
                const item = property(board, id);
                const built = owns(board, team, id);
                return html`<li class=${built ? "built" : "ghost"}>${sym(propertySymbol(id))}
                  <span class="tiny">${item.label}</span>
                  <span class="tiny num">${built ? html`<span class="vh">${gettext("built")}</span>` : html`<span aria-hidden="true">${item.price}</span><span class="vh">${fill(gettext("costs %(fish)s"), { fish: fishWords(item.price) })}</span>`}</span></li>`;
              })}</ul></li>`;
          })}
        </ul>
      </section>`)}
  </div>`;
