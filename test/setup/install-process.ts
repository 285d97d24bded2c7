// Installs the packages of Debian that the project needs, as `npm start` does, and prints what it is told instead.
const scripts = new URL('../../../setup/', import.meta.url);
const { installSystemPackages } = (await import(new URL('system-packages.mjs', scripts).href)) as {
  installSystemPackages: () => void;
};
try {
  installSystemPackages();
} catch (error) {
  console.log((error as Error).message);
}
