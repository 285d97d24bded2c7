// Installs the packages of Debian that the project needs, as `npm start` does, or those of its tests as `npm test` does
// (`tests` as the argument). Prints what it is told instead.
const scripts = new URL('../../../setup/', import.meta.url);
const { installSystemPackages, installTestPrograms } = (await import(
  new URL('system-packages.mjs', scripts).href
)) as { readonly installSystemPackages: () => void; readonly installTestPrograms: () => void };
try {
  if (process.argv[2] === 'tests') installTestPrograms();
  else installSystemPackages();
} catch (error) {
  console.log((error as Error).message);
}
