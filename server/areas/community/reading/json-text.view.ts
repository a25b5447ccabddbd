/** The members of a JSON object, without its braces. */
export const members = (object: object) => JSON.stringify(object).slice(1, -1);

/** A time of PostgreSQL's JSON as the API writes it. */
export const timestamp = (time: string) => new Date(time).toISOString();
