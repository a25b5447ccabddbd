/** One figure of a drill, as a row of the table in docs/reliability.md. */
export type Figure = {
  /** The measured quantity, such as "acknowledged writes lost". */
  what: string;
  /** The measured value as text, such as "0 of 104 212" or "1.8 s". */
  result: string;
  /** The target as text, such as "0" or "at most 10 s". */
  target: string;
  isMet: boolean;
};

/**
 * Injects a fault and measures how the product behaves. Each drill sets up what it needs on loopback, in its own
 * folders, and leaves nothing running, even when it fails.
 */
export type Drill = {
  /** The name on the command line: `npm run faults -- database-restart`. */
  name: string;
  /** One sentence for `--list`. */
  description: string;
  run(options: DrillOptions): Promise<Figure[]>;
};

export type DrillOptions = {
  /** 1 runs the drill in full; less is a quick look: 0.1 does a tenth of the kills, rows and seconds. */
  scale: number;
  /** Prints a progress line. */
  print(line: string): void;
};
