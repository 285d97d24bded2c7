export const alertKinds = ['note', 'tip', 'important', 'warning', 'caution'] as const;
/** The kinds of alerts that a quote can begin with, as in `[!NOTE]`. */
export type AlertKind = (typeof alertKinds)[number];

const ICONS: Readonly<Record<AlertKind, { readonly name: string; readonly path: string }>> = {
  note: { name: 'info', path: 'M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1Zm-.75 6v5h1.5V7h-1.5Zm0-3v1.5h1.5V4h-1.5Z' },
  tip: { name: 'light-bulb', path: 'M8 1a5 5 0 0 1 2.5 9.3V12h-5v-1.7A5 5 0 0 1 8 1ZM5.5 13h5v1.5h-5V13Z' },
  important: { name: 'report', path: 'M1 2h14v10H8l-3 3v-3H1V2Zm6.25 2v4h1.5V4h-1.5Zm0 5v1.5h1.5V9h-1.5Z' },
  warning: { name: 'alert', path: 'M8 1l7 13H1L8 1Zm-.75 5v4h1.5V6h-1.5Zm0 5v1.5h1.5V11h-1.5Z' },
  caution: {
    name: 'stop',
    path: 'M5 1h6l4 4v6l-4 4H5l-4-4V5l4-4Zm2.25 3v5h1.5V4h-1.5Zm0 6v1.5h1.5V10h-1.5Z',
  },
};

/** Returns the HTML of the icon before the title of an alert. */
export const alertIcon = (kind: AlertKind): string => {
  const { name, path } = ICONS[kind];
  return (
    `<svg class="attention-icon attention-${kind} svg octicon-${name}" viewBox="0 0 16 16" ` +
    `width="16" height="16" aria-hidden="true"><path d="${path}"></path></svg>`
  );
};
