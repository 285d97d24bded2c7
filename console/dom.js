/** @typedef {Node | string | number | undefined | null | false} Child */

/**
 * Makes an element. Properties named `on…` are added as listeners; `class`, `for`, `list` and names with a hyphen are set as
 * attributes, the others as properties. Strings become text nodes, never markup.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Readonly<Record<string, unknown>>} properties
 * @param {Child[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (name === 'class' || name === 'for' || name === 'list' || name.includes('-'))
      element.setAttribute(name, /** @type {string} */ (value));
    else Object.assign(element, { [name]: value });
  }
  element.append(...shown(children));
  return element;
}

/**
 * Makes a text with names in it, of which none changes the direction of the words around it:
 * `` named`rule ${rule} of ${group}` ``.
 *
 * @param {TemplateStringsArray} parts
 * @param {string[]} names
 */
export const named = (parts, ...names) =>
  el('span', {}, ...parts.flatMap((part, index) => [index > 0 && el('bdi', {}, names[index - 1]), part]));

/**
 * Finds the page's element with that id. Throws if there is none, or if it is of another kind.
 *
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} kind
 * @returns {T}
 */
export function byId(id, kind) {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) throw new Error(`the page has no ${id}`);
  return element;
}

/**
 * Replaces an element's children. What was typed into one of them goes to the new element with the same name. So does the
 * focus or, if there is none, to the nearest one around it.
 *
 * @param {HTMLElement} element
 * @param {Node[]} children
 */
export function renew(element, ...children) {
  const { activeElement: focused } = document;
  const names = focused && element.contains(focused) ? namesOf(focused) : [];
  const typed = new Map(inputsIn(element).map((input) => [namesOf(input)[0], input]));
  element.replaceChildren(...children);
  for (const input of inputsIn(element)) {
    const before = typed.get(namesOf(input)[0]);
    if (before && before.value !== before.defaultValue) input.value = before.value;
  }
  if (names.length === 0) return;
  const all = [...element.querySelectorAll('*')];
  const found = names.map((name) => all.find((each) => namesOf(each)[0] === name)).find(Boolean);
  const place = found instanceof HTMLElement ? found : byId('main', HTMLElement);
  if (place.tabIndex < 0) place.tabIndex = -1; // otherwise it cannot get the focus
  place.focus({ preventScroll: true });
}

/** @param {Element} element */
const inputsIn = (element) => [...element.querySelectorAll('input')];

/**
 * Returns the names by which an element is found again: its own, then the labels of the elements around it. The name of a
 * button or link without a label is its text with the nearest label.
 *
 * @param {Element} element
 */
function namesOf(element) {
  /** @type {string[]} */
  const names = [];
  for (
    let each = element.closest('[aria-label]');
    each;
    each = each.parentElement?.closest('[aria-label]') ?? null
  )
    names.push(each.getAttribute('aria-label') ?? '');
  const [nearest = ''] = names;
  const words = element.matches('a, button') ? element.textContent : element.id;
  return element.hasAttribute('aria-label') || words === '' ? names : [`${nearest} ${words}`, ...names];
}

/** @param {Child[]} children */
const shown = (children) =>
  children
    .filter((child) => child !== undefined && child !== null && child !== false)
    .map((child) => (typeof child === 'number' ? String(child) : child));

let labels = 0;

/**
 * Makes a form field: the label, the control and, below them, the help text.
 *
 * @param {string} label
 * @param {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} control
 * @param {string | HTMLElement} [help]
 */
export function field(label, control, help) {
  control.id ||= `field-${(labels += 1)}`;
  const hint = help === undefined ? undefined : el('p', { class: 'hint', id: `${control.id}-hint` }, help);
  if (hint) control.setAttribute('aria-describedby', hint.id);
  return el('div', { class: 'field' }, el('label', { for: control.id }, label), control, hint);
}

/**
 * Makes a table that scrolls horizontally, apart from the page, if the window is narrow.
 *
 * @param {string} caption
 * @param {string[]} headings those of numeric columns begin with `#`
 * @param {Child[][]} rows
 * @param {string} [empty] the text shown if there are no rows
 */
export function table(caption, headings, rows, empty = 'None.') {
  if (rows.length === 0) return el('p', { class: 'quiet' }, empty);
  const numeric = headings.map((heading) => heading.startsWith('#'));
  const cell = (/** @type {Child} */ child, /** @type {number} */ index) =>
    el('td', { class: numeric[index] ? 'number' : '' }, child);
  return el(
    'div',
    { class: 'scroll', role: 'region', 'aria-label': caption, tabIndex: 0 },
    el(
      'table',
      {},
      el('caption', { class: 'hidden' }, caption),
      el(
        'thead',
        {},
        el(
          'tr',
          {},
          ...headings.map((heading, index) =>
            el('th', { scope: 'col', class: numeric[index] ? 'number' : '' }, heading.replace('#', '')),
          ),
        ),
      ),
      el('tbody', {}, ...rows.map((row) => el('tr', {}, ...row.map(cell)))),
    ),
  );
}
