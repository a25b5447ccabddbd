import { makePerson } from '#server/test/factories/accounts.ts';
import { makeCohort } from '#server/test/factories/cohorts.ts';
import { enrol } from '#server/test/factories/courses.ts';
import type { Requests } from './requests.ts';
import * as things from './things.ts';
import type { Cell, Sent } from './world.ts';

/** What administrators, services and the content platform do. */

const onCohort = ({ world }: Cell): Sent => ({ params: { id: world.cohortId } });
const toAnother = async ({ test }: Cell) => ({ params: { id: (await makePerson(test)).id } });
const product = async ({ test }: Cell) => `academy-${await things.makeAcademy(test)}`;
const enrolment = ({ world }: Cell) => ({
  cohortIds: [world.cohortId],
  enrolments: [{ type: 'courses', slug: world.elsewhere.course.slug }],
});
const referral = ({ world }: Cell) => ({
  email: things.freshEmail(),
  type: 'courses',
  slug: world.elsewhere.course.slug,
});
const rule = () => ({ type: 'domain', value: `${things.fresh('ministry')}.example` });
const entry = () => ({ id: things.fresh('entry'), contentType: 'page', slug: 'a-page', version: 1 });
const decide = (email: string): Sent => ({ body: { email, status: 'approved' } });

export const officeRequests: Requests = {
  // Administrators.
  createCohort: () => ({ body: { name: 'A cohort', type: 'LEARNERS', primaryPartner: 'A city' } }),
  listCohorts: () => ({}),
  readCohort: onCohort,
  updateCohort: (cell) => ({ ...onCohort(cell), body: { notes: 'A note' } }),
  listCohortProducts: onCohort,
  setCohortProducts: async ({ test }) => ({ params: { id: await makeCohort(test) }, body: { entryIds: [] } }),
  createUpload: (cell) => ({ ...onCohort(cell), body: { slug: 'a-label', emails: [things.freshEmail()] } }),
  listUploads: onCohort,
  listUploadAddresses: async (cell) => ({
    params: { id: cell.world.cohortId, uploadId: await things.makeUpload(cell.test, cell.world.cohortId) },
  }),
  addCohortUser: (cell) => ({ ...onCohort(cell), body: { email: things.freshEmail() } }),
  listCohortUsers: onCohort,
  listCohortInvitations: onCohort,
  listAuditLog: () => ({}),
  listProducts: () => ({ query: { contentType: 'academy', match: '' } }),
  registerProduct: async ({ test }) => ({
    params: { id: await things.makeEntry(test, 'academy', things.fresh('page')) },
  }),
  readProductPermissions: async (cell) => ({ params: { id: await product(cell) } }),
  setProductPermission: async (cell) => ({
    params: { id: await product(cell) },
    body: { permission: 'can_join', scope: 'verified' },
  }),

  // Services.
  createAutoApproval: () => ({ body: rule() }),
  readAutoApproval: async ({ test }) => ({ params: { id: await things.makeRule(test) } }),
  listAutoApprovals: () => ({}),
  updateAutoApproval: async ({ test }) => ({ params: { id: await things.makeRule(test) }, body: rule() }),
  deleteAutoApproval: async ({ test }) => ({ params: { id: await things.makeRule(test) } }),
  readRegistration: ({ world }) => ({ query: { email: world.bystander.email } }),
  'writeRegistration own': ({ me }) => decide(me.email),
  'writeRegistration other': async ({ test }) => decide((await makePerson(test)).email),
  createUserRecord: () => ({ body: { name: 'Somebody', email: things.freshEmail(), role: 'public-servant' } }),
  listUserRecords: () => ({}),
  'setBadges own': ({ me }) => ({ params: { id: me.id }, body: { badges: {} } }),
  'setBadges other': async (cell) => ({ ...(await toAnother(cell)), body: { badges: {} } }),
  createUserCommunity: async ({ test, world }) => ({
    body: { userId: (await makePerson(test)).id, communitySlug: world.elsewhere.community.slug },
  }),
  readUserCommunity: async ({ test, world }) => ({
    params: { id: await things.membershipOf(test, world.elsewhere.community, world.bystander) },
  }),
  listUserCommunities: () => ({}),
  updateUserCommunity: async ({ test, world }) => ({
    params: { id: await things.membershipOf(test, world.elsewhere.community, world.bystander) },
    body: {},
  }),
  createBulkEnrolment: ({ world }) => ({
    body: { email: things.freshEmail(), type: 'courses', slug: world.elsewhere.course.slug },
  }),
  readBulkEnrolment: async ({ test, world }) => ({
    params: { id: await things.makeBulkEnrolment(test, world.elsewhere.course) },
  }),
  listBulkEnrolments: () => ({}),
  updateBulkEnrolment: async ({ test, world }) => ({
    params: { id: await things.makeBulkEnrolment(test, world.elsewhere.course) },
    body: { status: 'pending' },
  }),
  enrolPerson: (cell) => ({ body: { email: things.freshEmail(), ...enrolment(cell) } }),
  enrolMany: (cell) => ({ body: { enrolments: [{ email: things.freshEmail(), ...enrolment(cell) }] } }),
  changeEnrolments: async (cell) => ({
    params: { email: (await makePerson(cell.test)).email },
    body: enrolment(cell),
  }),
  withdrawPerson: async ({ test, world }) => {
    const person = await makePerson(test);
    await enrol(test, person, world.elsewhere.course.journey);
    return { params: { email: person.email }, query: { courseSlug: world.elsewhere.course.slug } };
  },
  referMany: (cell) => ({ body: { referrals: [referral(cell)] } }),

  // The content platform.
  indexEntry: () => ({ body: entry() }),
  reindexEntry: () => ({ body: entry() }),
};
