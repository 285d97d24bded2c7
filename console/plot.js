/** @import { Series, UsageOverTime } from './types.js' */
import uPlot from './vendor/uPlot.esm.js';
import { sizeText } from './sizes.js';
import { tickText, timeText } from './times.js';

const HEIGHT = 300;
const dark = matchMedia('(prefers-color-scheme: dark)');

/** Stops the previous plot. The page shows one at a time, and no event tells that it was removed. */
let stop = () => undefined;

/**
 * Draws usage as an area, each limit as a dashed line for as long as it applied, and a mark where it began. The plot follows
 * the width of its place and the page's colours until the next one is drawn.
 *
 * @param {HTMLElement} place
 * @param {UsageOverTime} usage
 * @param {Series} series
 */
export function usagePlot(place, { since, until }, { points, limits }) {
  const times = points.map(({ at }) => seconds(at));
  const used = points.map(({ used }) => Number(used));
  const [from, to] = [seconds(since), seconds(until)];
  const segments = limits.map((limit) => ({
    from: Math.max(from, seconds(limit.from)),
    to: limit.until === null ? to : Math.min(to, seconds(limit.until)),
    limit: Number(limit.limit),
    rule: limit.rule,
  }));
  const top = Math.max(1, ...used, ...segments.map(({ limit }) => limit)) * 1.1;

  /** @type {uPlot | undefined} */
  let plot;
  const draw = () => {
    plot?.destroy();
    const options = optionsFor(place, { from, to, top, segments, hasDots: points.length < 40 });
    plot = new uPlot(options, [times, used], place);
  };

  stop();
  const watching = new ResizeObserver(() => plot?.setSize({ width: widthOf(place), height: HEIGHT }));
  watching.observe(place);
  dark.addEventListener('change', draw);
  // In the next frame, because the place has a width only once the caller has put it into the page.
  const frame = requestAnimationFrame(draw);
  stop = () => {
    cancelAnimationFrame(frame);
    watching.disconnect();
    dark.removeEventListener('change', draw);
    plot?.destroy();
  };
}

/** @typedef {{ readonly from: number, readonly to: number, readonly limit: number, readonly rule: string }} Segment */

/**
 * Returns what to draw, in the page's present colours. Times are in seconds.
 *
 * @param {HTMLElement} place
 * @param {{
 *   readonly from: number,
 *   readonly to: number,
 *   readonly top: number,
 *   readonly segments: Segment[],
 *   readonly hasDots: boolean,
 * }} drawing
 * @returns {uPlot.Options}
 */
function optionsFor(place, { from, to, top, segments, hasDots }) {
  const colour = colours(place);
  const axis = {
    stroke: colour.quiet,
    grid: { stroke: colour.line, width: 1 },
    ticks: { show: false },
  };
  return {
    width: widthOf(place),
    height: HEIGHT,
    padding: [18, 12, 0, 0],
    scales: { x: { min: from, max: to }, y: { range: () => [0, top] } },
    series: [
      { label: 'At', value: (_, value) => (value === null ? '–' : timeText(value * 1000)) },
      {
        label: 'Used',
        stroke: colour.used,
        fill: colour.area,
        width: 2,
        points: { show: hasDots },
        value: (_, value) => (value === null ? '–' : sizeText(value)),
      },
    ],
    axes: [
      { ...axis, values: (_, values, __, ___, step) => values.map((each) => tickText(each, step)) },
      {
        ...axis,
        size: 76,
        splits: () => evenSplits(top),
        values: (_, values) => values.map(sizeText),
      },
    ],
    hooks: { draw: [(drawn) => drawLimits(drawn, segments, from, colour)] },
  };
}

/** @param {HTMLElement} place */
const widthOf = (place) => Math.max(place.clientWidth - 16, 200);

/** @param {string} time */
const seconds = (time) => Date.parse(time) / 1000;

/**
 * Returns about five positions of grid lines, at round numbers of a binary unit.
 *
 * @param {number} top
 */
function evenSplits(top) {
  const unit = 1024 ** Math.floor(Math.log2(Math.max(top, 1)) / 10);
  const rough = top / unit / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power * unit;
  return Array.from({ length: Math.floor(top / step) + 1 }, (_, index) => index * step);
}

/** @param {HTMLElement} place */
function colours(place) {
  const style = getComputedStyle(place);
  const used = style.getPropertyValue('--plot').trim();
  return {
    used,
    area: `${used}22`,
    limit: style.getPropertyValue('--plot-limit').trim(),
    quiet: style.getPropertyValue('--quiet').trim(),
    line: style.getPropertyValue('--line').trim(),
  };
}

/**
 * @param {uPlot} plot
 * @param {Segment[]} segments
 * @param {number} start
 * @param {ReturnType<typeof colours>} colour
 */
function drawLimits(plot, segments, start, colour) {
  const { ctx, bbox } = plot;
  const scale = devicePixelRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, 0, bbox.width, bbox.top + bbox.height);
  ctx.clip();
  ctx.strokeStyle = ctx.fillStyle = colour.limit;
  ctx.textBaseline = 'bottom';
  ctx.lineWidth = 1.5 * scale;
  ctx.font = `${12 * scale}px system-ui, sans-serif`;
  for (const { from, to, limit, rule } of segments) {
    const x = (/** @type {number} */ time) => plot.valToPos(time, 'x', true);
    const [left, right, y] = [x(from), x(to), plot.valToPos(limit, 'y', true)];
    ctx.setLineDash([6 * scale, 5 * scale]);
    line(ctx, left, y, right, y);
    // The label goes to the side with more room.
    const isLate = left > bbox.left + bbox.width / 2;
    ctx.textAlign = isLate ? 'right' : 'left';
    // The name is isolated, because it may run from right to left.
    ctx.fillText(`\u2068${rule}\u2069 · ${sizeText(limit)}`, left + (isLate ? -8 : 8) * scale, y - 3 * scale);
    if (from <= start) continue;
    ctx.setLineDash([1 * scale, 4 * scale]);
    line(ctx, left, bbox.top, left, bbox.top + bbox.height);
    ctx.beginPath();
    ctx.arc(left, y, 4 * scale, 0, 2 * Math.PI);
    ctx.fill();
  }
  ctx.restore();
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {number} x
 * @param {number} y
 * @param {number} toX
 * @param {number} toY
 */
function line(ctx, x, y, toX, toY) {
  ctx.beginPath();
  ctx.moveTo(x, y);
  ctx.lineTo(toX, toY);
  ctx.stroke();
}
