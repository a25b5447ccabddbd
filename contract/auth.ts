import { z } from 'zod';
import { LocaleCode, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';

/** Reasons this service refuses a request, with their status. */
export const authErrors = {} as const;

export const readSession = endpoint({
  name: 'readSession',
  service: 'auth',
  method: 'GET',
  path: '/session',
  auth: 'none',
  extension: true,
  summary: 'who is signed in',
  replies: {
    200: z.object({
      viewer: z
        .object({
          id: Uuid,
          name: z.string(),
          email: z.string(),
          role: z.enum(['inactive', 'non-public-servant', 'public-servant', 'administrator']),
          locale: LocaleCode,
          localeChosen: z.boolean(),
          thumbnail: z.string().nullable(),
          limited: z.boolean().describe('The address is not confirmed yet'),
        })
        .nullable(),
    }),
  },
});
