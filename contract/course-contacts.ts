import { z } from 'zod';
import { Uuid } from './common.ts';

/** Limits of the contacts of a course: how many, and the code points of a name and a role. */
export const CONTACT_LIMITS = { contacts: 10, name: 200, role: 200 } as const;

/** Someone who runs a course, as its page shows them. */
export const CourseContact = z
  .object({
    name: z.string(),
    role: z.string().nullable(),
    email: z.string().nullable().describe('null for an address that an account signs in with'),
    profileId: Uuid.nullable().describe('User id of their profile; only for signed-in viewers'),
  })
  .meta({ id: 'CourseContact' });
export type CourseContact = z.output<typeof CourseContact>;
