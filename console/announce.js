import { byId } from './dom.js';

/**
 * Says what was done, to eyes for some seconds and to who listens.
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
