// The river through the middle of a board, every fish in it drawn, its number in the middle.
import { svg, nothing } from "../../../vendor/lit.js";
import { href } from "../parts/symbol.js";
import { gettext } from "../parts/words.js";

const TURN = 2 * Math.PI;
const COLUMNS = 4;

// The middle of the water and half its width, at t from 0 (top) to 1.
const middle = (box, t) => box.width / 2 + box.width * 0.0174 * Math.sin(2.2 * TURN * t + 0.6);
const half = (box, t) => box.width * (0.0595 + 0.006 * Math.sin(1.7 * TURN * t + 1));

// The same numbers on every device and at every drawing: fish do not jump when something else changes.
const jitter = (n) => ((Math.sin(n * 12.9898) * 43758.5453) % 1 + 1) % 1 - 0.5;

const waterPath = (box) => {
  const steps = 24;
  const over = 14;
  const y = (i) => -over + ((box.height + 2 * over) * i) / steps;
  const side = (sign) => Array.from({ length: steps + 1 }, (_, i) => [middle(box, i / steps) + sign * half(box, i / steps), y(i)]);
  const curve = (points) =>
    points.slice(1).map(([x, yy], i) => {
      const [x0, y0] = points[i];
      const ym = (y0 + yy) / 2;
      return `C${x0.toFixed(1)} ${ym.toFixed(1)} ${x.toFixed(1)} ${ym.toFixed(1)} ${x.toFixed(1)} ${yy.toFixed(1)}`;
    }).join("");
  const start = side(-1);
  const end = side(1).reverse();
  return `M${start[0][0].toFixed(1)} ${start[0][1]}${curve(start)}L${end[0][0].toFixed(1)} ${end[0][1].toFixed(1)}${curve(end)}Z`;
};

export const water = (box) => svg`
  <path class="water" d=${waterPath(box)}></path>
  ${Array.from({ length: 9 }, (_, i) => {
    const t = (i + 0.5) / 9;
    const x = middle(box, t) + half(box, t) * 0.9 * jitter(i + 7) - 16;
    return svg`<path class="current" d=${`M${x.toFixed(1)} ${(box.height * t).toFixed(1)}q8 -6 16 0t16 0`}></path>`;
  })}`;

// The two bridges: rails where the road crosses the water.
export const bridges = (box, roadWidth) => {
  const rail = (t, y) => {
    const from = middle(box, t) - half(box, t) - 14;
    const to = middle(box, t) + half(box, t) + 14;
    const posts = Array.from({ length: 6 }, (_, i) => from + ((to - from) * i) / 5);
    return svg`<path class="rail" d=${`M${from.toFixed(1)} ${y}H${to.toFixed(1)}${posts.map((x) => `M${x.toFixed(1)} ${y - 4}v8`).join("")}`}></path>`;
  };
  const off = roadWidth / 2 + 1;
  const top = box.margin;
  const bottom = box.height - box.margin;
  return svg`${rail(0.05, top - off)}${rail(0.05, top + off)}${rail(0.95, bottom - off)}${rail(0.95, bottom + off)}`;
};

// `count` fish of at most `total`, from top to bottom, and their number.
export const fish = (box, count, total, roadWidth) => {
  const top = box.margin + roadWidth / 2 + 12;
  const bottom = box.height - box.margin - roadWidth / 2 - 12;
  const pill = { width: box.width < 500 ? 74 : 90, height: box.width < 500 ? 58 : 68 };
  const cy = box.height / 2;
  const rows = Math.ceil(Math.min(total, 100) / COLUMNS);
  const gap = pill.height + 18;
  const step = (bottom - top - gap) / rows;
  const size = Math.min(17, step * 0.95);
  const places = Array.from({ length: rows * COLUMNS }, (_, i) => {
    const row = Math.floor(i / COLUMNS);
    let y = top + step * (row + 0.5);
    if (y > cy - gap / 2) y += gap;
    const t = y / box.height;
    const across = ((i % COLUMNS) + 0.5) / COLUMNS - 0.5;
    return { x: middle(box, t) + across * 1.72 * half(box, t) + jitter(i) * 5, y: y + jitter(i + 500) * step * 0.45 };
  });
  const shown = Math.max(0, Math.min(count, places.length));
  const words = gettext("in the river");
  return svg`
    <g>${places.slice(0, shown).map(({ x, y }) => svg`<svg class="shoal" x=${(x - size / 2).toFixed(1)} y=${(y - size / 2).toFixed(1)} width=${size.toFixed(1)} height=${size.toFixed(1)}><use href=${href("shoal")}></use></svg>`)}</g>
    <g text-anchor="middle">
      <rect class="pill" x=${(box.width / 2 - pill.width / 2).toFixed(1)} y=${cy - pill.height / 2} width=${pill.width} height=${pill.height} rx=${pill.height / 2}></rect>
      <text class="t-num" x=${box.width / 2} y=${cy + 6} font-size=${box.width < 500 ? 30 : 36}>${count}</text>
      ${words ? svg`<text class="t-soft" x=${box.width / 2} y=${cy + 22} font-size="13.5">${words}</text>` : nothing}
    </g>`;
};
