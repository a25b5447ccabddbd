import { sql } from 'kysely';
import { startProviderSignIn } from '@officium/contract/provider-sign-in';
import { newId } from '#server/db/client.ts';
import { issueCode, issueSecret } from '#server/areas/auth/challenge.service.ts';
import { updatePassword } from '#server/areas/auth/user.repository.ts';
import { proofOptions, registrationOptions } from '#server/areas/auth/passkey.service.ts';
import { makeAuthenticator } from '../factories/authenticator.ts';
import { giveApp, givePasskey, unconfirmedCode } from '../factories/factors.ts';
import { makePerson, type TestPerson } from '../factories/accounts.ts';
import { enrol } from '../factories/courses.ts';
import type { Requests } from './requests.ts';
import { pushSubscription } from '../push-service.ts';
import * as things from './things.ts';
import { type Cell, PASSWORD, type Sent } from './fixture.ts';

/** Requests outside communities and courses. */

const another = async ({ test }: Cell) => await makePerson(test);
const toMe = async (cell: Cell, param = 'id') => ({ params: { [param]: cell.me.id } });
const toAnother = async (cell: Cell, param = 'id') => ({ params: { [param]: (await another(cell)).id } });

async function givePassword({ fixture, test }: Cell, person: TestPerson): Promise<void> {
  await updatePassword(test.ctx.db, { id: person.id, passwordHash: fixture.passwordHash });
}

/** Enrols a person in a journey that the table does not test. */
async function takePlace({ fixture, test }: Cell, person: TestPerson) {
  const { course } = fixture.elsewhere;
  if (person !== fixture.bystander) await enrol(test, person, course.journey);
  return { courseSlug: course.slug, journeySlug: course.journey.slug };
}

async function onPasskey(test: Cell['test'], person: TestPerson, body?: object) {
  return { params: { id: (await givePasskey(test, person)).id }, ...(body ? { body } : {}) };
}

const ARTICLE = {
  title: 'A title of enough letters',
  subtitle: 'A subtitle of enough letters',
  body: 'What there is.',
};
const anArticle = async ({ fixture, test }: Cell, author: TestPerson = fixture.bystander) =>
  await things.makeReportable(test, author);

const PROFILE = { name: 'A name' };

export const accountRequests: Requests = {
  // Sign-up and sign-in.
  readSession: () => ({}),
  createAccount: () => ({ body: { name: 'Somebody', email: things.freshEmail() } }),
  resendSignUpCode: () => ({ body: { email: things.freshEmail() } }),
  confirmSignUp: async ({ test }) => {
    const person = await makePerson(test, { isProven: false });
    return { body: { email: person.email, code: await issueCode(test.ctx.db, person.id) } };
  },
  confirmMySignUp: async ({ test, me }) => {
    await test.ctx.pool.query('update users set email_proven_at = null where id = $1', [me.id]);
    return { body: { email: me.email, code: await issueCode(test.ctx.db, me.id) } };
  },
  checkEmail: () => ({ params: { email: things.freshEmail() } }),
  signIn: async (cell) => {
    const person = await another(cell);
    await givePassword(cell, person);
    return { body: { email: person.email, password: PASSWORD } };
  },
  requestLoginLink: async (cell) => ({ body: { email: (await another(cell)).email } }),
  confirmLoginLink: async (cell) => ({ body: { token: await secret(cell, 'login-link', await another(cell)) } }),
  requestPasswordReset: async (cell) => ({ params: { email: (await another(cell)).email }, body: {} }),
  'setPassword with a secret': async (cell) => ({
    body: { password: things.fresh('word'), forgotPassword: await secret(cell, 'password-reset', await another(cell)) },
  }),
  'setPassword with the old one': async (cell) => {
    await givePassword(cell, cell.me);
    return { body: { password: things.fresh('word'), oldPassword: PASSWORD } };
  },
  mintToken: async (cell) => {
    const { id, email, name } = await another(cell);
    return { body: { id, email, name } };
  },
  'mintToken of administrator': async (cell) => {
    const { id, email, name } = await makePerson(cell.test, { role: 'administrator' });
    return { body: { id, email, name } };
  },
  exchangeToken: async (cell) => {
    const detail = { permissions: null, exp: null };
    return { query: { token: await secret(cell, 'session-token', await another(cell), detail) } };
  },

  // The account itself.
  listSessions: () => ({}),
  'deleteSession own': async ({ test, me }) => ({ params: { id: await things.makeSession(test, me) } }),
  'deleteSession other': async (cell) => ({ params: { id: await things.makeSession(cell.test, await another(cell)) } }),
  signOut: () => ({}),

  // Second factors.
  readSecondFactor: () => ({}),
  startTotp: () => ({}),
  confirmTotp: async ({ test, me }) => ({ body: { code: await unconfirmedCode(test, me) } }),
  removeTotp: async ({ test, me }) => {
    await giveApp(test, me);
    return {};
  },
  renewRecoveryCodes: async ({ test, me }) => {
    await giveApp(test, me);
    return {};
  },
  startPasskey: () => ({}),
  addPasskey: async ({ test, me }) => {
    const { options } = await registrationOptions(test.ctx, me);
    return { body: { name: 'A key', passkey: makeAuthenticator().make(options) } };
  },
  'renamePasskey own': async ({ test, me }) => await onPasskey(test, me, { name: 'A key' }),
  'renamePasskey other': async (cell) => await onPasskey(cell.test, await another(cell), { name: 'A key' }),
  'removePasskey own': async ({ test, me }) => await onPasskey(test, me),
  'removePasskey other': async (cell) => await onPasskey(cell.test, await another(cell)),
  startPasskeySignIn: () => ({}),
  signInWithPasskey: async (cell) => {
    const { device } = await givePasskey(cell.test, await another(cell));
    const { options } = await proofOptions(cell.test.ctx, 'sign-in', null);
    return { body: { passkey: device.prove(options) } };
  },
  startFactorPasskey: async (cell) => {
    const person = await another(cell);
    await givePasskey(cell.test, person);
    return { body: { challenge: await secret(cell, 'second-factor', person) } };
  },
  proveSecondFactor: async (cell) => {
    const person = await another(cell);
    const { code } = await giveApp(cell.test, person);
    return { body: { challenge: await secret(cell, 'second-factor', person), code: code() } };
  },
  readSignInWays: () => ({}),
  startProviderSignIn: () => ({ body: {} }),
  finishProviderSignIn: async ({ test, fixture }) => {
    const sub = newId();
    fixture.provider.employ({ sub, email: `${sub}@city.example.org`, email_verified: true });
    const { url, attempt } = (await test.call(startProviderSignIn, undefined, { body: {} })).body;
    return { body: { attempt, answer: await fixture.provider.visit(url) } };
  },
  readConfirmation: () => ({}),
  mailConfirmationCode: () => ({}),
  startConfirmationPasskey: async ({ test, me }) => {
    await givePasskey(test, me);
    return {};
  },
  confirmSession: async (cell) => {
    await givePassword(cell, cell.me);
    return { body: { password: PASSWORD } };
  },

  'deleteAccount own': ({ me }) => ({ params: { email: me.email } }),
  'deleteAccount other': async (cell) => ({ params: { email: (await another(cell)).email } }),
  'eraseUser own': async (cell) => await toMe(cell),
  'eraseUser other': async (cell) => await toAnother(cell),
  requestDataExport: () => ({}),
  listDataExports: () => ({}),
  'readDataExport own': async (cell) => await onExport(cell, cell.me),
  'readDataExport other': async (cell) => await onExport(cell, await another(cell)),
  'downloadDataExport own': async (cell) => await onExport(cell, cell.me),
  'downloadDataExport other': async (cell) => await onExport(cell, await another(cell)),
  changeEmail: async (cell) => {
    await givePassword(cell, cell.me);
    return { body: { newEmail: things.freshEmail(), password: PASSWORD } };
  },
  'confirmEmailChange own': async (cell) => ({
    body: { token: await secret(cell, 'email-change', cell.me, { email: things.freshEmail() }) },
  }),
  'confirmEmailChange other': async (cell) => ({
    body: { token: await secret(cell, 'email-change', await another(cell), { email: things.freshEmail() }) },
  }),
  refreshIdentity: () => ({ body: {} }),
  setMemberType: () => ({ body: { memberType: 'learner' } }),
  setNickname: () => ({ body: { nickname: 'Nick' } }),
  checkPassword: async (cell) => {
    await givePassword(cell, cell.me);
    return { body: { password: PASSWORD } };
  },
  setLocale: () => ({ body: { locale: 'fr' } }),
  setVisibility: () => ({ body: { visibility: 'public' } }),
  createProfile: () => ({ body: PROFILE }),
  updateProfile: () => ({ body: PROFILE }),
  'readProfile own': () => ({ params: { id: 'me' } }),
  'readProfile other': async (cell) => await toAnother(cell),
  'uploadProfileImage own': () => ({ params: { userId: 'me' }, picture: true }),
  'uploadProfileImage other': async (cell) => ({ ...(await toAnother(cell, 'userId')), picture: true }),
  'updateUser own': async (cell) => ({ ...(await toMe(cell)), body: PROFILE }),
  'updateUser other': async (cell) => ({ ...(await toAnother(cell)), body: PROFILE }),
  'updateUser own badges': async (cell) => ({ ...(await toMe(cell)), body: { ...PROFILE, badges: {} } }),
  'updateUser other badges': async (cell) => ({ ...(await toAnother(cell)), body: { ...PROFILE, badges: {} } }),
  'readUserRecord own': async (cell) => await toMe(cell),
  'readUserRecord other': async (cell) => await toAnother(cell),
  'updateUserRecord own': async (cell) => ({ ...(await toMe(cell)), body: PROFILE }),
  'updateUserRecord other': async (cell) => ({ ...(await toAnother(cell)), body: PROFILE }),
  'updateUserRecord own role': async (cell) => ({ ...(await toMe(cell)), body: { ...PROFILE, role: 'administrator' } }),
  'updateUserRecord other role': async (cell) => ({
    ...(await toAnother(cell)),
    body: { ...PROFILE, role: 'public-servant' },
  }),
  'updateUserRecord to administrator': async (cell) => ({
    ...(await toAnother(cell)),
    body: { ...PROFILE, role: 'administrator' },
  }),
  'updateUserRecord of administrator': async ({ test }) => ({
    params: { id: (await makePerson(test, { role: 'administrator' })).id },
    body: { ...PROFILE, role: 'inactive' },
  }),

  // Other people.
  searchUsers: () => ({ body: {} }),
  listCommunitiesOfUser: async (cell) => await toAnother(cell),
  listMembershipsOfUser: async (cell) => await toAnother(cell, 'userId'),
  listProfileActivities: async (cell) => await toAnother(cell),
  listMyActivities: () => ({ params: { id: 'me' } }),
  askToConnect: async (cell) => ({ body: { peerId: (await another(cell)).id } }),
  'listConnections own': () => ({ params: { id: 'me' } }),
  'listConnections other': async (cell) => await toAnother(cell),
  'readConnection own': async (cell) => ({
    params: { id: await things.makeConnection(cell.test, await another(cell), cell.me) },
  }),
  'readConnection other': async (cell) => ({
    params: { id: await things.makeConnection(cell.test, await another(cell), await another(cell)) },
  }),
  'moveConnection requested': async (cell) => {
    const subject_ = await another(cell);
    await things.makeConnection(cell.test, subject_, cell.me);
    return { params: { peerId: subject_.id }, body: { status: 'accepted' } };
  },
  'moveConnection not requested': async (cell) => ({
    params: { peerId: (await another(cell)).id },
    body: { status: 'accepted' },
  }),
  referColleague: ({ fixture }) => ({
    body: { email: things.freshEmail(), type: 'courses', slug: fixture.elsewhere.course.slug },
  }),
  'listUserReferrals own': async (cell) => await toMe(cell, 'userId'),
  'listUserReferrals other': async (cell) => await toAnother(cell, 'userId'),
  'updateUserReferrals own': async (cell) => ({ ...(await toMe(cell, 'userId')), body: { referrals: [] } }),
  'updateUserReferrals other': async (cell) => ({ ...(await toAnother(cell, 'userId')), body: { referrals: [] } }),

  // Own learning.
  listMyCourses: () => ({}),
  listMyJourneys: () => ({}),
  listMyLessons: () => ({}),
  readMyLearning: () => ({}),
  listMyMicrocourses: () => ({}),
  listMyAssignments: () => ({}),
  readMyTranscript: () => ({}),
  downloadMyTranscript: () => ({}),
  'readMyPayment own': async (cell) => await onPayment(cell, cell.me),
  'readMyPayment other': async (cell) => await onPayment(cell, await another(cell)),
  completeMicrocourse: ({ fixture }) => ({ params: { slug: fixture.microcourse } }),
  listLessonCompletions: () => ({}),
  'listUserProducts own': async (cell) => await toMe(cell),
  'listUserProducts other': async (cell) => await toAnother(cell),
  'updateUserProduct own': async (cell) => ({ params: { id: 'me' }, body: await takePlace(cell, cell.me) }),
  'updateUserProduct own expiry': async (cell) => ({
    ...(await toMe(cell)),
    body: { ...(await takePlace(cell, cell.me)), expiresOn: '2999-01-01' },
  }),
  'updateUserProduct other': async (cell) => {
    const person = await another(cell);
    return { params: { id: person.id }, body: await takePlace(cell, person) };
  },
  listNotifications: () => ({}),
  listMyDecisions: () => ({}),
  listMyReports: () => ({}),
  countNotifications: () => ({}),
  'readNotification own': async ({ test, me }) => ({ params: { id: await things.makeNotification(test, me) } }),
  'readNotification other': async (cell) => ({
    params: { id: await things.makeNotification(cell.test, await another(cell)) },
  }),
  readAllNotifications: () => ({}),
  readPush: () => ({}),
  addPushDevice: () => ({ body: pushSubscription() }),
  'removePushDevice own': async ({ test, me }) => ({ params: { id: await things.makePushDevice(test, me) } }),
  'removePushDevice other': async (cell) => ({
    params: { id: await things.makePushDevice(cell.test, await another(cell)) },
  }),
  readNotificationPreferences: () => ({}),
  updateNotificationPreferences: () => ({ body: { digestHour: 7 } }),
  readMyRegistration: () => ({}),
  listFollows: () => ({}),
  readPersonFollow: async (cell) => ({ params: { id: (await another(cell)).id } }),
  setPersonFollow: async (cell) => ({ params: { id: (await another(cell)).id }, body: { level: 'muted' } }),
  setTopicFollow: () => ({ params: { topic: 'topic_Climate' }, body: { level: 'watching' } }),
  openUnsubscribe: () => ({ query: { token: 'of-a-mail' } }),
  'unsubscribe with a wrong link': () => ({ query: { token: 'of-no-mail' } }),
  verifyCertificate: ({ fixture }) => ({ params: { publicId: fixture.certificate } }),
  checkCertificateFile: ({ fixture }) => ({ params: { publicId: fixture.certificate, sha256: '0'.repeat(64) } }),
  'correctMyCertificate own': async (cell) => await onCertificate(cell, cell.me),
  'correctMyCertificate other': async (cell) => await onCertificate(cell, await another(cell)),
  revokeCertificate: async (cell) => ({
    params: (await onCertificate(cell, await another(cell))).params,
    body: { reason: 'not_earned' },
  }),
  listThreads: () => ({}),
  'deleteThread own': async (cell) => await onThread(cell, cell.me),
  'deleteThread other': async (cell) => await onThread(cell, await another(cell)),

  // Content for everyone.
  listCatalogue: () => ({}),
  search: () => ({ query: { q: 'plain words' } }),
  listAcademies: () => ({}),
  readAcademy: ({ fixture }) => ({ params: { slug: fixture.academy } }),
  joinAcademy: ({ fixture }) => ({ params: { slug: fixture.academy } }),
  readMicrocourse: ({ fixture }) => ({ params: { slug: fixture.microcourse } }),
  listEditorials: () => ({ params: { kind: 'hubs' } }),
  readSite: () => ({}),
  readSitePage: async ({ test }) => {
    await sql`insert into site_page_versions (kind, locale, version, body, body_html)
      values ('terms', 'en', 1, 'Be kind.', '<p>Be kind.</p>') on conflict do nothing`.execute(test.ctx.db);
    return { params: { kind: 'terms' } };
  },
  readEditorial: ({ fixture }) => ({ params: { kind: 'hubs', slug: fixture.hub } }),
  'findMovedPage of a hub': ({ fixture }) => ({ query: { path: `/hubs/was-${fixture.hub}` } }),
  listEvents: () => ({}),
  readEvent: ({ fixture }) => ({ params: { slug: fixture.event.slug } }),
  downloadEventCalendar: ({ fixture }) => ({ params: { slug: fixture.event.slug } }),
  registerForSession: ({ fixture }) => ({ params: { id: fixture.event.session } }),
  'leaveSession own': async ({ test, fixture, me }) => ({
    params: { id: await things.giveSeat(test, fixture.event.session, me) },
  }),
  listMySessions: () => ({}),
  readCalendarFeedState: () => ({}),
  createCalendarFeed: () => ({}),
  deleteCalendarFeed: () => ({}),
  'downloadCalendarFeed with a wrong token': () => ({ query: { token: 'of-nobody' } }),
  'findMovedPage of a microcourse': ({ fixture }) => ({
    query: { path: `/microcourses/en/was-${fixture.microcourse}` },
  }),
  readEntrySlug: ({ fixture }) => ({ params: { id: `academy-${fixture.academy}` } }),
  listArticles: () => ({}),
  'listArticles own': () => ({ query: { mine: true } }),
  readArticle: ({ fixture }) => ({ params: { slug: fixture.article } }),
  createArticle: () => ({ body: ARTICLE }),
  uploadArticlePicture: () => ({ picture: true }),
  previewArticle: () => ({ body: { body: 'Some **words**' } }),
  'updateArticle own': async ({ test, me }) => ({
    params: { slug: await things.makeArticle(test, me) },
    body: ARTICLE,
  }),
  'updateArticle other': ({ fixture }) => ({ params: { slug: fixture.article }, body: ARTICLE }),
  'deleteArticle own': async ({ test, me }) => ({ params: { slug: await things.makeArticle(test, me) } }),
  'deleteArticle other': ({ fixture }) => ({ params: { slug: fixture.article } }),
  'restoreArticle own': async ({ test, me }) => ({ params: { slug: await things.makeDeletedArticle(test, me) } }),
  'restoreArticle other': async ({ test, fixture }) => ({
    params: { slug: await things.makeDeletedArticle(test, fixture.bystander) },
  }),
  translate: () => ({
    body: { content: 'Hello', encoding: 'plain-text', sourceLocales: ['en'], targetLocales: ['en'] },
  }),
  'reportContent article': async (cell) => ({ body: { ...(await anArticle(cell)), reason: 'spam' } }),
  'reportContent own article': async (cell) => ({ body: { ...(await anArticle(cell, cell.me)), reason: 'spam' } }),
  'listReports of articles': () => ({ query: { articles: 'true' } }),
  'decideReports of an article': async (cell) => ({
    body: { ...(await anArticle(cell)), decision: 'remove', reason: 'hate' },
  }),
  'claimCase of an article': async (cell) => ({ body: { ...(await anArticle(cell)), take: true } }),
  'listAppeals of articles': () => ({ query: { articles: 'true' } }),
  readArticleTranslation: ({ fixture }) => ({ params: { slug: fixture.article, locale: 'en' } }),
  listTranslationSources: () => ({}),
  classifyTask: () => ({ body: { task: 'Write letters' } }),
  analyseJob: () => ({ body: { jobTitle: 'Clerk', tasks: ['Write letters'] } }),
  listJobAnalyses: () => ({}),
  'readJobAnalysis own': async ({ test, me }) => ({ params: { threadId: await things.makeJobThread(test, me) } }),
  'readJobAnalysis other': async (cell) => ({
    params: { threadId: await things.makeJobThread(cell.test, await another(cell)) },
  }),
  readLinkPreview: ({ fixture }) => ({ params: { encodedUrl: Buffer.from(fixture.page).toString('base64url') } }),
};

async function secret(
  { test }: Cell,
  kind: 'login-link' | 'password-reset' | 'session-token' | 'email-change' | 'second-factor',
  person: TestPerson,
  detail?: Record<string, unknown>,
): Promise<string> {
  return await issueSecret(test.ctx.db, { kind, userId: person.id, detail });
}

async function onThread({ fixture, test }: Cell, person: TestPerson): Promise<Sent> {
  const [lesson] = fixture.elsewhere.course.journey.lessons;
  return { params: { threadId: await things.makeThread(test, person, lesson!) } }; // courses of the fixture have four
}

async function onPayment({ fixture, test }: Cell, person: TestPerson): Promise<Sent> {
  return { params: { id: await things.makePayment(test, person, fixture.elsewhere.course.journey) } };
}

async function onCertificate({ fixture, test }: Cell, person: TestPerson): Promise<Sent> {
  const publicId = await things.makeCertificate(test, person, fixture.elsewhere.course.journey);
  return { params: { publicId }, body: { nameOnCertificate: 'Another name' } };
}

async function onExport({ test }: Cell, person: TestPerson): Promise<Sent> {
  return { params: { id: await things.makeExport(test, person) } };
}
