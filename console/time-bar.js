/** @import { QuotaChange } from './types.js' */
import { page } from './api.js';
import { byId, el } from './dom.js';
import { asOf, goTo, onMoment, timeOfMoment } from './moment.js';
import { timeText } from './times.js';

const STEPS = 1000;
/** How many pages of the history get marks and can be stepped through; the slider itself reaches to the first change. */
const PAGES = 6;
/** How long the slider must rest before the page follows it, in milliseconds. */
const SETTLE_MS = 150;

const slider = byId('as-of', HTMLInputElement);
const text = byId('as-of-text', HTMLOutputElement);
const marks = byId('marks', HTMLDivElement);
const earlier = byId('earlier', HTMLButtonElement);
const later = byId('later', HTMLButtonElement);
const now = byId('now', HTMLButtonElement);

/**
 * The changes by position in the log and time in milliseconds, oldest first.
 *
 * @type {{ readonly position: number, readonly time: number }[]}
 */
let changes = [];
/** The ends of the slider, in milliseconds. */
let start = Date.now() - 86_400_000;
let end = Date.now();

/** Has the slider and the buttons beside it choose the moment that the page shows. */
export function startTimeBar() {
  slider.addEventListener('input', () => {
    const time =
      Number(slider.value) >= STEPS ? undefined : start + (Number(slider.value) / STEPS) * (end - start);
    describe(time);
    clearTimeout(timer);
    const moment = time === undefined ? undefined : { asOf: new Date(time).toISOString(), time };
    timer = setTimeout(() => goTo(moment), SETTLE_MS);
  });
  now.addEventListener('click', () => goTo(undefined));
  earlier.addEventListener('click', () => step(-1));
  later.addEventListener('click', () => step(1));
  onMoment(() => {
    clearTimeout(timer); // a button was pressed before the slider had rested
    showMoment();
  });
  showMoment();
  void loadChanges();
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** Loads the history for the slider. To be called after each change that is made in the console, too. */
export async function loadChanges() {
  /** @type {QuotaChange[]} */
  const found = [];
  /** @type {QuotaChange[]} */
  let oldest = [];
  try {
    let total = 1;
    for (let number = 1; number <= PAGES && found.length < total; number += 1) {
      const part = await history(50, number);
      found.push(...part.value);
      total = part.total;
      if (part.value.length === 0) break;
    }
    if (found.length < total) oldest = (await history(1, total)).value;
  } catch {
    return; // the slider works without marks
  }
  changes = found.map(({ position, at }) => ({ position, time: Date.parse(at) })).reverse();
  const times = changes.map(({ time }) => time);
  end = Math.max(Date.now(), ...times);
  // The slider begins a little before the first change, when there was nothing yet.
  const first = Math.min(...times, ...oldest.map(({ at }) => Date.parse(at)), end - 60_000);
  start = first - (end - first) * 0.02;
  marks.replaceChildren(
    ...[...new Set(times.map(placeOf))].map((place) => {
      const mark = el('i', {});
      mark.style.insetInlineStart = `${(place / STEPS) * 100}%`;
      return mark;
    }),
  );
  showMoment();
}

/**
 * @param {number} limit
 * @param {number} number of the page
 * @returns {Promise<import('./api.js').Page<QuotaChange[]>>}
 */
const history = (limit, number) => page('admin/quota/history', { as_of: undefined, limit, page: number });

/** @param {number} time */
const placeOf = (time) => Math.round(((time - start) / (end - start)) * STEPS);

/**
 * Goes to the previous or next change; after the last one comes the present.
 *
 * @param {-1 | 1} direction
 */
function step(direction) {
  const time = timeOfMoment() ?? Infinity;
  const at = changes.findIndex(({ position }) => String(position) === asOf());
  const before = changes.findLastIndex((change) => change.time <= time);
  // Steps from the change that the page shows or else, between two changes, from the shown moment.
  const target = at >= 0 ? at + direction : before + Number(direction > 0);
  const next = changes[target];
  if (next) goTo({ asOf: String(next.position), time: next.time });
  else if (direction > 0) goTo(undefined);
}

function showMoment() {
  const time = timeOfMoment();
  slider.value = String(time === undefined ? STEPS : Math.min(placeOf(time), STEPS - 1));
  describe(time);
  byId('past', HTMLParagraphElement).hidden = time === undefined;
  document.body.classList.toggle('in-past', time !== undefined);
  const isFocused = document.activeElement === later || document.activeElement === now;
  later.disabled = now.disabled = time === undefined;
  if (isFocused && time === undefined) slider.focus(); // a button that is disabled loses the focus
}

/** @param {number | undefined} time */
function describe(time) {
  text.textContent = time === undefined ? 'now' : timeText(new Date(time));
  slider.setAttribute('aria-valuetext', text.textContent);
}
