/** Reasons this service refuses a request, with their status. */
export const accountErrors = {} as const;
