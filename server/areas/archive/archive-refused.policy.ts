/** An archive that cannot be read. `faults`: one line each, with file, line and field where there are any. */
export class ArchiveRefused extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[], options?: ErrorOptions) {
    super(faults.join('\n'), options);
    this.faults = faults;
  }
}

export function refuse(fault: string, cause?: unknown): ArchiveRefused {
  return new ArchiveRefused([fault], { cause });
}
