import { byId } from './dom.js';

/**
 * Shows for six seconds what was done, and has screen readers say it.
 *
 * @param {string} text
 */
export function announce(text) {
  const status = byId('announcement', HTMLParagraphElement);
  status.textContent = text;
  status.classList.add('shown');
  clearTimeout(timer);
  timer = setTimeout(() => status.classList.remove('shown'), 6_000);
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
