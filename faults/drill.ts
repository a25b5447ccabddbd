/** One figure a drill reached, as a line of the table in docs/reliability.md. */
export type Reached = {
  /** What was counted or timed, such as "acknowledged writes lost". */
  what: string;
  /** The figure as people read it, such as "0 of 104 212" or "1.8 s". */
  reached: string;
  /** The figure to reach, such as "0" or "at most 10 s". */
  demanded: string;
  isReached: boolean;
};

/**
 * A fault made on purpose, and what the product did meanwhile. Each drill sets up what it needs on loopback, in folders
 * of its own, and leaves nothing running, also when it fails.
 */
export type Drill = {
  /** What is asked for on the command line: `npm run faults -- database-restart`. */
  name: string;
  /** What is done, in a sentence. */
  does: string;
  run(options: DrillOptions): Promise<Reached[]>;
};

export type DrillOptions = {
  /** 1: as often as the figures ask for; less for a quick look, such as 0.1 for a tenth of the kills, rows and seconds. */
  scale: number;
  /** Tells whoever waits how far it is. */
  say(line: string): void;
};
