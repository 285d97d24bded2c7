import { patientClientOf, type Client } from '../client.js';
import { dataDir } from '../data-dir.js';
import { ADMIN, Site } from './site.js';

/** A site whose administrator calls it. */
export class Installation extends Site {
  static async create(environment: NodeJS.ProcessEnv = {}): Promise<Installation> {
    return new Installation(await dataDir(), environment);
  }

  /** Calls with the password of the site administrator. */
  readonly admin: Client = patientClientOf(() => this.address, ADMIN);
}
