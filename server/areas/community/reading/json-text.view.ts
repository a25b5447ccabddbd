/** The members of a JSON object, without its braces. */
export const members = (object: object) => JSON.stringify(object).slice(1, -1);

/** Converts a timestamp of PostgreSQL's JSON to the format of the API. */
export const timestamp = (time: string) => new Date(time).toISOString();
