import { runProgram, type RunningProgram } from '../process.js';

export type ServiceName = 'api' | 'projector' | 'dispatcher';

const ENTRIES: Readonly<Record<ServiceName, string>> = {
  api: 'src/main.js',
  projector: 'projections/main.js',
  dispatcher: 'src/webhooks/main.js',
};

/** One process of a site without a supervisor, as a container would run it. */
export class Service {
  readonly #program: RunningProgram;
  #address = '';

  static async start(name: ServiceName, environment: Readonly<Record<string, string>>): Promise<Service> {
    const service = new Service(name, environment);
    if (name === 'api') {
      const [, address = ''] = await service.#program.prints(/"address":"([^"]+)"/);
      service.#address = address;
    }
    return service;
  }

  private constructor(
    readonly name: ServiceName,
    environment: Readonly<Record<string, string>>,
  ) {
    this.#program = runProgram(ENTRIES[name], [], { ...environment, LOG_LEVEL: 'info' });
  }

  /** Where an api listens. */
  get address(): string {
    return this.#address;
  }

  output(): string {
    return this.#program.output();
  }

  pause(): void {
    this.#program.process.kill('SIGSTOP');
  }

  resume(): void {
    this.#program.process.kill('SIGCONT');
  }

  async kill(): Promise<void> {
    this.#program.process.kill('SIGKILL');
    await this.#program.ended();
  }
}
