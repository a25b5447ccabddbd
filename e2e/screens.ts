export const PEOPLE = ['visitor', 'newcomer', 'member', 'moderator', 'administrator'] as const;
export type Person = (typeof PEOPLE)[number];

const SIGNED_IN: readonly Person[] = ['newcomer', 'member', 'moderator', 'administrator'];
const VISITOR: readonly Person[] = ['visitor'];
/** For pages that are equal for everyone who is signed in. */
const TWO: readonly Person[] = ['visitor', 'member'];

/** Paths that are known only after the demo content is loaded. */
export type Found = {
  thread: string;
  poll: string;
  person: string;
  accountOfOther: string;
  erasing: string;
  appointing: string;
  article: string;
  edit: string;
  share: string;
  /** The page that shares a contribution of the learner to a lesson. */
  shareContribution: string;
  /** An open and a submitted attempt of the administrator at an assessment. */
  attempt: string;
  attemptResult: string;
  /** The questions of that assessment, for its authors. */
  questions: string;
  statistics: string;
  /** The results of the evaluation of the demo. */
  evaluationResults: string;
  certificate: string;
  analysis: string;
  rule: string;
  /** A cohort with a member, an invitation, a product and an upload; and the pages of a draft and of the upload. */
  cohort: string;
  draft: string;
  upload: string;
  /** A content folder uploaded as a ZIP. */
  contentImport: string;
  /** A notice of the site that has ended. */
  notice: string;
};

export type Screen = {
  /** The route as in web/app/routes.ts; the front page is ''. */
  route: string;
  /** Names the variant when a route is listed more than once. */
  state?: string;
  /** A path, or the name of one in `Found`, optionally with a subpath. */
  path: string;
  /** The people who open it: those who may and who see it differently. Everyone by default. */
  people?: readonly Person[];
  /** The expected status; 200 by default. */
  status?: number;
};

const LESSON = '/courses/plain-language/write-to-be-understood/who-is-reading';
const ASSESSMENT = '/courses/responsible-ai/foundations/check-what-you-know';
const EVALUATION = '/me/learning/budgets-and-evidence/reading-a-budget/evaluation';
const CERTIFICATE_NAME = '/me/learning/plain-language/write-to-be-understood/certificate';
/** Courses of the demo content have their slug as id. */
const PIECE = '/admin/content/course/plain-language';
const REPORT = '/admin/reports/courses/plain-language';
const EMAIL = 'somebody%40example.org';
const PRODUCT = 'write-alt-text';

/** Every screen of the product. A new page needs a line here, or pages/languages.spec.ts fails. */
export const SCREENS: readonly Screen[] = [
  { route: '', path: '/' },
  { route: 'offline', path: '/offline', people: VISITOR },
  { route: 'accessibility-statement', path: '/accessibility-statement', people: TWO },
  { route: 'privacy', path: '/privacy', people: VISITOR },
  { route: 'terms', path: '/terms', people: VISITOR },
  { route: 'legal-notice', path: '/legal-notice', people: VISITOR },

  { route: 'help', path: '/help', people: TWO },
  { route: 'help', state: 'found', path: '/help?q=report', people: VISITOR },
  { route: 'help/:page', path: '/help/learner', people: TWO },
  { route: 'help/:page', state: 'reference', path: '/help/configuration', people: VISITOR },

  { route: 'login', path: '/login', people: VISITOR },
  { route: 'login/confirm', path: '/login/confirm?token=x', people: VISITOR },
  { route: 'login/second', path: '/login/second?by=totp%20recovery-code', people: VISITOR },
  { route: 'login/provider', path: '/login/provider?error=access_denied', people: VISITOR, status: 404 },
  { route: 'confirm', path: '/confirm', people: ['member'] },
  { route: 'signup', path: '/signup', people: VISITOR },
  { route: 'signup/confirm', path: `/signup/confirm?email=${EMAIL}`, people: VISITOR },
  { route: 'welcome', path: '/welcome?onboardingState=x', people: VISITOR },
  { route: 'reset', path: '/reset', people: VISITOR },
  { route: 'reset', state: 'new password', path: '/reset?forgotPassword=x', people: VISITOR },
  { route: 'email/confirm', path: '/email/confirm?token=x', people: ['member'] },

  { route: 'courses', path: '/courses', people: TWO },
  { route: 'courses', state: 'nothing found', path: '/courses?q=zzzz', people: VISITOR },
  { route: 'courses/:course', path: '/courses/plain-language' },
  { route: 'courses/:course/:journey/:lesson', path: LESSON },
  { route: 'courses/:course/:journey/:lesson', state: 'assessment', path: ASSESSMENT, people: ['administrator'] },
  { route: 'courses/:course/:journey/:lesson/attempts/:id', path: 'attempt', people: ['administrator'] },
  {
    route: 'courses/:course/:journey/:lesson/attempts/:id',
    state: 'result',
    path: 'attemptResult',
    people: ['administrator'],
  },
  { route: 'academies', path: '/academies', people: TWO },
  { route: 'academies/:slug', path: '/academies/digital-government', people: TWO },
  { route: 'microcourses/en/:slug', path: '/microcourses/en/write-alt-text', people: TWO },
  { route: 'hubs', path: '/hubs', people: VISITOR },
  { route: 'hubs/:slug', path: '/hubs/first-months-as-a-manager', people: TWO },
  { route: 'questions', path: '/questions', people: VISITOR },
  { route: 'questions/:slug', path: '/questions/case-files-and-ai', people: TWO },
  { route: 'solutions', path: '/solutions', people: VISITOR },
  { route: 'solutions/:slug', path: '/solutions/a-renewal-letter-that-stopped-the-calls', people: TWO },
  { route: 'events', path: '/events', people: TWO },
  { route: 'events', state: 'past', path: '/events?when=past', people: VISITOR },
  { route: 'events/:slug', path: '/events/walk-a-closed-street', people: TWO },
  { route: 'events/:slug', state: 'series', path: '/events/new-managers-hour', people: ['administrator'] },
  { route: 'me/events', path: '/me/events', people: ['newcomer', 'member'] },
  { route: 'me/learning', path: '/me/learning', people: ['newcomer', 'member'] },
  { route: 'me/learning/transcript', path: '/me/learning/transcript', people: ['newcomer', 'member'] },
  { route: 'me/learning/:course/:journey/evaluation', path: EVALUATION, people: ['member'] },
  { route: 'me/learning/:course/:journey/certificate', path: CERTIFICATE_NAME, people: ['member'] },
  {
    route: 'payments/:id',
    path: '/payments/00000000-0000-7000-8000-000000000000',
    status: 404,
    people: ['member'],
  },
  { route: 'certificates/:id', path: 'certificate', people: TWO },
  { route: 'certificates/:id', state: 'unknown', path: '/certificates/0123456789abcdef', people: VISITOR, status: 404 },

  { route: 'communities', path: '/communities' },
  { route: 'communities/:slug', path: '/communities/plain-words' },
  { route: 'communities/:slug/members', path: '/communities/plain-words/members', people: SIGNED_IN },
  { route: 'communities/:slug/reports', path: '/communities/plain-words/reports', people: ['administrator'] },
  { route: 'communities/:slug/rules', path: '/communities/plain-words/rules', people: TWO },
  { route: 'communities/:slug/settings', path: '/communities/plain-words/settings', people: ['administrator'] },
  { route: 'communities/:slug/log', path: '/communities/plain-words/log', people: ['administrator'] },
  { route: 'communities/:slug/activities/:id', path: 'thread' },
  { route: 'communities/:slug/activities/:id', state: 'poll', path: 'poll' },
  { route: 'communities/:slug/activities/:id/rank', path: 'thread/rank', people: TWO },
  {
    route: 'communities/:slug/activities/:id/rank',
    state: 'newest',
    path: 'thread/rank?order=new',
    people: VISITOR,
  },

  { route: 'articles', path: '/articles', people: TWO },
  { route: 'articles/new', path: '/articles/new', people: ['member'] },
  { route: 'articles/:slug', path: 'article' },
  { route: 'articles/:slug/edit', path: 'edit', people: ['moderator'] },
  { route: 'articles/:slug/share', path: 'share', people: ['moderator'] },
  { route: 'courses/:course/:journey/:lesson/share/:id', path: 'shareContribution', people: ['member'] },

  { route: 'people/:id', path: 'person', people: SIGNED_IN },
  { route: 'me/connections', path: '/me/connections', people: ['newcomer', 'member'] },
  { route: 'me/settings', path: '/me/settings', people: ['newcomer', 'member'] },
  { route: 'me/settings/picture', path: '/me/settings/picture', people: ['member'] },
  { route: 'me/settings/account', path: '/me/settings/account', people: ['member'] },
  { route: 'me/settings/privacy', path: '/me/settings/privacy', people: ['member'] },
  { route: 'me/settings/following', path: '/me/settings/following', people: ['member'] },
  { route: 'me/settings/notifications', path: '/me/settings/notifications', people: ['member'] },
  { route: 'me/settings/security', path: '/me/settings/security', people: ['member', 'administrator'] },
  { route: 'me/settings/sessions', path: '/me/settings/sessions', people: ['member'] },
  { route: 'me/settings/delete', path: '/me/settings/delete', people: ['member'] },
  { route: 'goodbye', path: '/goodbye', people: VISITOR },
  { route: 'notifications', path: '/notifications', people: ['newcomer', 'member'] },
  { route: 'unsubscribe', path: '/unsubscribe?token=x', people: VISITOR },

  { route: 'tasks', path: '/tasks' },
  { route: 'tasks/:analysis', path: 'analysis', people: ['member'] },

  { route: 'search', path: '/search?q=forms', people: TWO },
  {
    route: 'search',
    state: 'filtered',
    path: '/search?q=forms&group=posts&language=en&within=year&from=2020-01-01',
    people: TWO,
  },
  { route: 'search', state: 'nothing found', path: '/search?q=zzzz&group=posts', people: VISITOR },

  { route: 'moderation/articles', path: '/moderation/articles', people: ['administrator'] },
  { route: 'moderation/courses/:course', path: '/moderation/courses/plain-language', people: ['administrator'] },
  {
    route: 'moderation/:id',
    path: '/moderation/0193a7c2-5b1e-7d30-9f4a-2c6d8e0b1a57',
    people: ['member'],
    status: 404,
  },
  { route: 'me/moderation', path: '/me/moderation', people: ['member'] },
  { route: 'moderation-report', path: '/moderation-report', people: VISITOR },

  { route: 'admin', path: '/admin', people: ['administrator'] },
  { route: 'admin', state: 'a course', path: '/admin?weeks=52&course=plain-language', people: ['administrator'] },
  { route: 'admin/reports', path: '/admin/reports', people: ['administrator'] },
  { route: 'admin/reports/courses/:course', path: REPORT, people: ['administrator'] },
  {
    route: 'admin/reports/courses/:course',
    state: 'narrowed',
    path: `${REPORT}?country=NG`,
    people: ['administrator'],
  },
  { route: 'admin/site/certificate', path: '/admin/site/certificate', people: ['administrator'] },
  { route: 'admin/certificates', path: '/admin/certificates', people: ['administrator'] },
  {
    route: 'admin/certificates',
    state: 'nothing found',
    path: '/admin/certificates?state=expired',
    people: ['administrator'],
  },
  { route: 'admin/audit', path: '/admin/audit', people: ['administrator'] },
  { route: 'admin/audit', state: 'nothing found', path: '/admin/audit?action=x', people: ['administrator'] },
  { route: 'admin/operations', path: '/admin/operations', people: ['administrator'] },
  { route: 'admin/operations/jobs', path: '/admin/operations/jobs', people: ['administrator'] },
  { route: 'admin/operations/mails', path: '/admin/operations/mails?status=sent', people: ['administrator'] },
  { route: 'admin/operations/webhooks', path: '/admin/operations/webhooks', people: ['administrator'] },
  { route: 'admin/operations/export', path: '/admin/operations/export', people: ['administrator'] },
  { route: 'admin/products', path: '/admin/products', people: ['administrator'] },
  { route: 'admin/products', state: 'nothing found', path: '/admin/products?q=zzzz', people: ['administrator'] },
  {
    route: 'admin/products/several',
    path: `/admin/products/several?id=${PRODUCT}&permission=can_join&scope=private`,
    people: ['administrator'],
  },
  { route: 'admin/products/:id', path: `/admin/products/${PRODUCT}`, people: ['administrator'] },
  {
    route: 'admin/products/:id',
    state: 'preview of changes',
    path: `/admin/products/${PRODUCT}?can_view=private&can_join=private`,
    people: ['administrator'],
  },
  {
    route: 'admin/events/:slug',
    path: '/admin/events/walk-a-closed-street',
    people: ['administrator'],
  },
  { route: 'admin/approval', path: '/admin/approval', people: ['administrator'] },
  { route: 'admin/approval/:id', path: 'rule', people: ['administrator'] },
  { route: 'admin/approval/test', path: '/admin/approval/test', people: ['administrator'] },
  { route: 'admin/marking', path: '/admin/marking', people: ['administrator'] },
  {
    route: 'admin/marking/:id',
    path: '/admin/marking/00000000-0000-7000-8000-000000000000',
    status: 404,
    people: ['administrator'],
  },
  { route: 'admin/moderation', path: '/admin/moderation', people: ['administrator'] },
  {
    route: 'admin/moderation',
    state: 'decided',
    path: '/admin/moderation?state=decided',
    people: ['administrator'],
  },
  { route: 'admin/content', path: '/admin/content', people: ['administrator'] },
  { route: 'admin/content', state: 'nothing found', path: '/admin/content?q=zzzz', people: ['administrator'] },
  { route: 'admin/content/new', path: '/admin/content/new?kind=course', people: ['administrator'] },
  { route: 'admin/content/folder', path: '/admin/content/folder', people: ['administrator'] },
  { route: 'admin/content/folder/:import', path: 'contentImport', people: ['administrator'] },
  { route: 'admin/content/:kind/:key', path: PIECE, people: ['administrator'] },
  { route: 'admin/content/:kind/:key/preview', path: `${PIECE}/preview`, people: ['administrator'] },
  { route: 'admin/content/:kind/:key/publish', path: `${PIECE}/publish`, people: ['administrator'] },
  { route: 'admin/content/:kind/:key/versions', path: `${PIECE}/versions`, people: ['administrator'] },
  { route: 'admin/site', path: '/admin/site', people: ['administrator'] },
  { route: 'admin/site/languages', path: '/admin/site/languages', people: ['administrator'] },
  { route: 'admin/site/notices', path: '/admin/site/notices', people: ['administrator'] },
  { route: 'admin/site/notices/new', path: '/admin/site/notices/new', people: ['administrator'] },
  { route: 'admin/site/notices/:id', path: 'notice', people: ['administrator'] },
  { route: 'admin/setup', path: '/admin/setup', people: ['administrator'] },
  { route: 'admin/setup/:step', path: '/admin/setup/mail', people: ['administrator'] },
  { route: 'admin/setup/:step', state: 'languages', path: '/admin/setup/languages', people: ['administrator'] },
  { route: 'admin/setup/:step', state: 'demo', path: '/admin/setup/demo', people: ['administrator'] },
  { route: 'admin/site/pages/:kind', path: '/admin/site/pages/imprint', people: ['administrator'] },
  { route: 'admin/roles', path: '/admin/roles', people: ['administrator'] },
  { route: 'admin/cohorts', path: '/admin/cohorts', people: ['administrator'] },
  { route: 'admin/cohorts', state: 'nothing found', path: '/admin/cohorts?q=zzzz', people: ['administrator'] },
  { route: 'admin/cohorts', state: 'archived', path: '/admin/cohorts?state=archived', people: ['administrator'] },
  { route: 'admin/cohorts/new', path: '/admin/cohorts/new', people: ['administrator'] },
  { route: 'admin/cohorts/:id', path: 'cohort', people: ['administrator'] },
  { route: 'admin/cohorts/:id/invitations', path: 'cohort/invitations', people: ['administrator'] },
  { route: 'admin/cohorts/:id/invitations/mail', path: 'cohort/invitations/mail', people: ['administrator'] },
  { route: 'admin/cohorts/:id/products', path: 'cohort/products', people: ['administrator'] },
  { route: 'admin/cohorts/:id/uploads', path: 'cohort/uploads', people: ['administrator'] },
  { route: 'admin/cohorts/:id/uploads/check/:draft', path: 'draft', people: ['administrator'] },
  { route: 'admin/cohorts/:id/uploads/:upload', path: 'upload', people: ['administrator'] },
  { route: 'admin/cohorts/:id/progress', path: 'cohort/progress', people: ['administrator'] },
  { route: 'admin/cohorts/:id/details', path: 'cohort/details', people: ['administrator'] },
  { route: 'admin/cohorts/:id/enrol', path: 'cohort/enrol', people: ['administrator'] },
  { route: 'admin/cohorts/:id/delete', path: 'cohort/delete', people: ['administrator'] },
  { route: 'admin/content/:kind/:key/questions', path: 'questions', people: ['administrator'] },
  {
    route: 'admin/content/:kind/:key/questions',
    state: 'bank',
    path: `${PIECE}/questions`,
    people: ['administrator'],
  },
  { route: 'admin/content/:kind/:key/extra-time', path: `${PIECE}/extra-time`, people: ['administrator'] },
  { route: 'admin/content/:kind/:key/evaluation', path: 'evaluationResults', people: ['administrator'] },
  { route: 'admin/content/:kind/:key/statistics', path: 'statistics', people: ['administrator'] },
  { route: 'admin/content/media', path: '/admin/content/media', people: ['administrator'] },
  {
    route: 'admin/content/media',
    state: 'nothing found',
    path: '/admin/content/media?q=zzzz',
    people: ['administrator'],
  },
  { route: 'admin/content/check', path: '/admin/content/check', people: ['administrator'] },
  {
    route: 'admin/content/check',
    state: 'nothing found',
    path: '/admin/content/check?q=zzzz',
    people: ['administrator'],
  },
  { route: 'admin/people', path: '/admin/people', people: ['administrator'] },
  { route: 'admin/people', state: 'nothing found', path: '/admin/people?q=zzzz', people: ['administrator'] },
  { route: 'admin/enrolments', path: '/admin/enrolments', people: ['administrator'] },
  { route: 'admin/people/new', path: '/admin/people/new', people: ['administrator'] },
  { route: 'admin/people/:id', path: 'accountOfOther', people: ['administrator'] },
  { route: 'admin/people/:id/transcript', path: 'accountOfOther/transcript', people: ['administrator'] },
  { route: 'admin/people/:id/payments', path: 'accountOfOther/payments', people: ['administrator'] },
  { route: 'admin/people/:id/administrator', path: 'appointing', people: ['administrator'] },
  { route: 'admin/people/:id/erase', path: 'erasing', people: ['administrator'] },

  { route: '*', path: '/no-such-page', status: 404, people: TWO },
];

export function isFor(screen: Screen, person: Person): boolean {
  return (screen.people ?? PEOPLE).includes(person);
}

/** The URL of a screen in a given language. */
export function addressOf({ path }: Screen, found: Found, locale: string): string {
  const [name = '', ...below] = path.split('/');
  const address = isFound(name, found) ? [found[name], ...below].join('/') : path;
  return `${address}${address.includes('?') ? '&' : '?'}locale=${locale}`;
}

function isFound(path: string, found: Found): path is keyof Found {
  return Object.hasOwn(found, path);
}
