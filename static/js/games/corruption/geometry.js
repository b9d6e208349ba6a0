// Where the squares of a board go: stepping stones at equal steps on a rounded rectangle, any number of them.
// s = 0 is the middle of the block-end, inline-start corner; travel is clockwise; right-to-left mirrors x.

const LANDMARK = { start: 1.22, central_bank: 1.22, prison: 1.22, inspector: 1.22 };
const FILL = 0.9; // a stone covers so much of its step

export const boxes = {
  wide: { width: 920, height: 668, margin: 34, radius: 96 },
  tall: { width: 400, height: 640, margin: 26, radius: 64 },
};

// A road around the box: its length and the point at s with the direction of travel.
export const road = ({ width, height, margin, radius: r }, mirrored) => {
  const w = width - 2 * margin;
  const h = height - 2 * margin;
  const arc = (Math.PI * r) / 2;
  const parts = [
    ["arc", arc / 2, r, h - r, Math.PI * 0.75],
    ["line", h - 2 * r, 0, h - r, 0, -1],
    ["arc", arc, r, r, Math.PI],
    ["line", w - 2 * r, r, 0, 1, 0],
    ["arc", arc, w - r, r, Math.PI * 1.5],
    ["line", h - 2 * r, w, r, 0, 1],
    ["arc", arc, w - r, h - r, 0],
    ["line", w - 2 * r, w - r, h, -1, 0],
    ["arc", arc / 2, r, h - r, Math.PI * 0.5],
  ];
  const length = parts.reduce((sum, part) => sum + part[1], 0);
  const at = (distance) => {
    let s = ((distance % length) + length) % length;
    let part = parts[0];
    for (part of parts) {
      if (s <= part[1]) break;
      s -= part[1];
    }
    const [kind, , x0, y0, a, b] = part;
    let [x, y, dx, dy] = [x0 + a * s, y0 + b * s, a, b];
    if (kind === "arc") {
      const angle = a + s / r;
      [x, y, dx, dy] = [x0 + r * Math.cos(angle), y0 + r * Math.sin(angle), -Math.sin(angle), Math.cos(angle)];
    }
    return mirrored
      ? { x: width - margin - x, y: y + margin, dx: -dx, dy, inX: dy, inY: dx }
      : { x: x + margin, y: y + margin, dx, dy, inX: -dy, inY: dx };
  };
  return { length, at };
};

// The stones of the squares: middle, diameter and place s on the road.
export const stones = (squares, way) => {
  const weights = squares.map((square) => LANDMARK[square.kind] ?? 1);
  const unit = way.length / weights.reduce((sum, weight) => sum + weight, 0);
  let before = -weights[0] / 2;
  return weights.map((weight) => {
    const s = (before + weight / 2) * unit;
    before += weight;
    return { ...way.at(s), s, size: FILL * unit * weight, step: unit };
  });
};

// The road as a path, for its surface.
export const roadPath = ({ width: w, height: h, margin: m, radius: r }) =>
  `M${m + r} ${m}H${w - m - r}A${r} ${r} 0 0 1 ${w - m} ${m + r}V${h - m - r}A${r} ${r} 0 0 1 ${w - m - r} ${h - m}H${m + r}A${r} ${r} 0 0 1 ${m} ${h - m - r}V${m + r}A${r} ${r} 0 0 1 ${m + r} ${m}Z`;

// Dots outside the stones from one place to another, clockwise.
export const trailPath = (way, from, to, outward) => {
  const span = (((to - from) % way.length) + way.length) % way.length;
  const steps = Math.max(2, Math.round(span / 6));
  const points = Array.from({ length: steps + 1 }, (_, i) => {
    const { x, y, inX, inY } = way.at(from + (span * i) / steps);
    return `${(x - inX * outward).toFixed(1)} ${(y - inY * outward).toFixed(1)}`;
  });
  return `M${points.join("L")}`;
};

// Quarters of a village packed in rows of plots, in board order, first fit. The council stands beside the first
// row that has room. Measures are in plots; `columns` is the width of a row.
export const quarters = (categories) => {
  const columns = Math.max(4, ...categories.map((category) => category.properties.length));
  const rows = [];
  const placedQuarters = categories.map((category) => {
    const size = category.properties.length;
    let row = rows.findIndex((used, index) => used + size <= columns - (index === 0 ? 1 : 0));
    if (row < 0) row = rows.push(0) - 1;
    const column = rows[row];
    rows[row] += size;
    return { category, row, column, size };
  });
  const free = rows.findIndex((used) => used < columns);
  return { columns, rows: rows.length, quarters: placedQuarters, council: free < 0 ? null : { row: free, column: columns - 1 } };
};
