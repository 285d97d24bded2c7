const KEY = 'part';

/** Remembers, for this tab, the part that the address names: signing in goes over addresses without it. */
export function keepPart() {
  if (location.hash !== '') sessionStorage.setItem(KEY, location.hash);
}

/** Brings back the part that was remembered, unless the address names one. */
export function restorePart() {
  const part = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  if (part !== null && location.hash === '') history.replaceState(null, '', part);
}
