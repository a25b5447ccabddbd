/** `part`: the sixth of the drills it belongs to in CI. `paths`: prefixes of files whose change runs it at once. */
export type Drill = { part: 1 | 2 | 3 | 4 | 5 | 6; paths: readonly string[] };

/** Sources that shape every page, and the tool that checks pages. */
const ALL_PAGES = ['e2e/axe.ts', 'web/app/app.css', 'web/app/form/', 'web/app/ui/'];

/** The tables and functions of the database. */
const SCHEMA = ['server/db/baseline/', 'server/db/functions/', 'server/db/migrations/'];

/**
 * Tests that break the product or its connection on purpose, install it from packages, move whole content folders, check
 * screens in several languages, themes, widths and states, walk through rarely changed parts in a browser, or take
 * minutes. `npm test` skips them.
 */
export const DRILLS: Record<string, Drill> = {
  'server/db/embedded/embedded.test.ts': { part: 1, paths: ['server/db/embedded/'] },
  'server/areas/admin/upload-drill.test.ts': { part: 2, paths: ['server/areas/admin/upload', 'server/jobs/'] },
  'server/areas/authoring/large-upload.test.ts': {
    part: 2,
    paths: [
      'server/areas/assets/resumable-upload',
      'server/areas/authoring/piece-file',
      'server/http/slow-bodies.ts',
      'server/outside/files',
    ],
  },
  'server/areas/question-files/hostile-files.test.ts': { part: 1, paths: ['server/areas/question-files/'] },
  'server/test/leaks/leaks.test.ts': { part: 3, paths: ['server/access/', 'server/test/leaks/'] },
  'server/test/leaks/replica.test.ts': {
    part: 3,
    paths: ['server/db/log-position', 'server/db/replica', 'server/test/leaks/'],
  },
  'server/test/attacks/reading.test.ts': {
    part: 3,
    paths: ['server/http/admission.ts', 'server/http/implement.ts', 'server/test/attacks/'],
  },
  'server/areas/account/stored-apart.test.ts': {
    part: 6,
    paths: ['server/areas/account/', 'server/outside/files'],
  },
  'server/live/redis.test.ts': { part: 5, paths: ['server/limits/', 'server/live/'] },
  'server/outside/picture.test.ts': { part: 4, paths: ['server/outside/picture'] },
  'server/test/races/races.test.ts': { part: 4, paths: [...SCHEMA, 'server/test/races/'] },
  'server/seed/seed.test.ts': { part: 4, paths: [...SCHEMA, 'server/seed/'] },
  'server/evaluation/assistant.test.ts': { part: 4, paths: ['server/areas/ai/', 'server/evaluation/'] },
  'e2e/api-guide.spec.ts': { part: 5, paths: ['contract/', 'docs/api.md'] },
  'e2e/contract-package.spec.ts': { part: 5, paths: ['contract/'] },
  'e2e/api-reference.spec.ts': {
    part: 1,
    paths: [
      'server/http/api-docs',
      'server/http/docs-',
      'server/http/openapi',
      'server/http/safe-headers',
      'web/api-reference',
      'web/package.json',
    ],
  },
  'e2e/openapi-client.spec.ts': { part: 5, paths: ['contract/', 'server/http/openapi'] },
  'server/test/platforms.test.ts': { part: 2, paths: ['package-lock.json', 'package.json', '.npmrc'] },
  'server/test/image.test.ts': { part: 1, paths: ['deploy/', '.dockerignore', 'server/test/image'] },
  'server/process/main.test.ts': { part: 6, paths: ['server/process/'] },
  'e2e/pages/narrow.spec.ts': { part: 4, paths: ['e2e/pages/', 'i18n/messages/de/', 'i18n/messages/ja/'] },
  'e2e/dev.spec.ts': {
    part: 3,
    paths: ['web/mount.ts', 'web/vite.config.ts', 'web/light', 'server/http/safe-headers.ts'],
  },
  'e2e/pseudo.spec.ts': { part: 2, paths: ['e2e/pseudo', 'i18n/messages/en/', 'web/app/areas/', 'web/app/ui/'] },
  'e2e/matrix/account.spec.ts': {
    part: 2,
    paths: [...ALL_PAGES, 'i18n/messages/ar/', 'i18n/messages/de/', 'web/app/areas/people/', 'web/app/areas/settings/'],
  },
  'e2e/matrix/administration.spec.ts': {
    part: 1,
    paths: [...ALL_PAGES, 'i18n/messages/ar/', 'web/app/admin/', 'web/app/areas/admin/'],
  },
  'e2e/matrix/administration-content.spec.ts': {
    part: 3,
    paths: [
      ...ALL_PAGES,
      'e2e/cohorts.ts',
      'i18n/messages/ar/',
      'web/app/admin/',
      'web/app/areas/admin/cohort',
      'web/app/areas/authoring/',
    ],
  },
  'e2e/matrix/community.spec.ts': {
    part: 6,
    paths: [
      ...ALL_PAGES,
      'e2e/articles.ts',
      'e2e/moderation.ts',
      'i18n/messages/ar/',
      'web/app/areas/admin/moderation',
      'web/app/areas/articles/',
      'web/app/areas/community/',
      'web/app/areas/moderation/',
      'web/app/areas/search/',
      'web/app/editor/',
    ],
  },
  'e2e/matrix/tasks.spec.ts': {
    part: 3,
    paths: [
      ...ALL_PAGES,
      ...['ar', 'de', 'ja', 'pl'].map((locale) => `i18n/messages/${locale}/`),
      'web/app/areas/tasks/',
    ],
  },
  'server/areas/importing/folder-round-trip.test.ts': { part: 5, paths: ['server/areas/importing/folder'] },
  'e2e/content-folder.spec.ts': { part: 1, paths: ['server/areas/importing/folder', 'web/app/areas/authoring/folder'] },
  'e2e/second-factor-admin.spec.ts': {
    part: 4,
    paths: ['server/areas/auth/second-factor', 'web/app/areas/settings/security'],
  },
  'e2e/every-type.spec.ts': {
    part: 6,
    paths: ['server/areas/authoring/', 'server/areas/hubs/', 'server/areas/events/', 'web/app/areas/authoring/'],
  },
  'e2e/states.spec.ts': { part: 5, paths: ALL_PAGES },
  'e2e/unsaved.spec.ts': { part: 1, paths: ['web/app/editor/', 'web/app/areas/authoring/', 'web/app/form/'] },
  'e2e/content-roles.spec.ts': {
    part: 2,
    paths: ['server/access/', 'server/areas/authoring/', 'web/app/areas/admin/person-role'],
  },
  'e2e/question-files.spec.ts': {
    part: 3,
    paths: [
      'server/areas/question-files/',
      'web/app/areas/authoring/piece-questions',
      'web/app/areas/authoring/piece-extra-time',
    ],
  },
  'e2e/translate.spec.ts': {
    part: 4,
    paths: ['server/translation/', 'web/app/ui/translated', 'web/app/server/translation'],
  },
  'e2e/provider.spec.ts': { part: 5, paths: ['server/outside/identity-provider', 'server/areas/auth/'] },
  'e2e/sharing.spec.ts': { part: 6, paths: ['web/app/server/share', 'web/app/ui/share', 'server/areas/articles/'] },
  'e2e/offline.spec.ts': { part: 3, paths: ['web/worker/', 'web/app/offline/', 'web/app/areas/frame/offline'] },
  'e2e/told.spec.ts': { part: 2, paths: ['server/notify/', 'server/areas/notifications/'] },
  'e2e/approval.spec.ts': {
    part: 3,
    paths: ['server/areas/people/approval', 'server/areas/people/auto-approval', 'web/app/areas/admin/approval'],
  },
  'e2e/following.spec.ts': { part: 6, paths: ['server/areas/notifications/follow', 'web/app/ui/follow-menu'] },
  'e2e/payments.spec.ts': { part: 1, paths: ['server/areas/learner/payment', 'server/outside/payment'] },
  'e2e/roles.spec.ts': { part: 5, paths: ['server/access/', 'web/app/areas/admin/person-role'] },
  'e2e/credentials.spec.ts': { part: 3, paths: ['server/areas/certificates/', 'web/app/areas/learning/certificate'] },
  'e2e/operations.spec.ts': { part: 4, paths: ['server/jobs/', 'server/mail/', 'web/app/areas/admin/operations'] },
  'e2e/setup-assistant.spec.ts': {
    part: 2,
    paths: [
      'server/areas/site/',
      'server/site/',
      'server/demo/',
      'web/app/areas/admin/setup',
      'web/app/areas/admin/demo',
    ],
  },
  'e2e/confirmation.spec.ts': { part: 6, paths: ['server/areas/auth/recent', 'web/app/areas/auth/confirm'] },
  'e2e/course-facts.spec.ts': { part: 1, paths: ['server/areas/catalogue/', 'web/app/areas/learning/catalogue'] },
  'e2e/reports.spec.ts': {
    part: 4,
    paths: ['server/areas/certificates/transcript', 'server/areas/learner/completion'],
  },
  'server/cli/commands.test.ts': { part: 5, paths: ['server/cli/'] },
  'e2e/real-course.spec.ts': { part: 5, paths: ['server/areas/importing/'] },
  'e2e/start.spec.ts': { part: 6, paths: ['server/db/embedded/', 'server/process/', 'server/status/'] },
  'e2e/family.spec.ts': {
    part: 6,
    paths: ['server/process/'],
  },
};

/** Files of the ordinary suite that also run with 300 random requests to each operation. */
export const MORE_REQUESTS: Record<string, Drill> = {
  'server/test/fuzz/people.test.ts': { part: 1, paths: ['server/test/fuzz/'] },
  'server/test/fuzz/auth.test.ts': { part: 2, paths: ['server/test/fuzz/'] },
  'server/test/fuzz/office.test.ts': { part: 3, paths: ['server/test/fuzz/'] },
  'server/test/fuzz/learning.test.ts': { part: 5, paths: ['server/test/fuzz/'] },
  'server/test/fuzz/community.test.ts': { part: 6, paths: ['server/test/fuzz/'] },
  'server/test/fuzz/rules.test.ts': { part: 4, paths: ['server/test/fuzz/'] },
};

/** Files of the ordinary suite that also run with every axe rule in both languages. */
export const MORE_RULES: Record<string, Drill> = {
  'e2e/pages/visitor.spec.ts': { part: 2, paths: ['e2e/axe.ts', 'e2e/pages/'] },
  'e2e/pages/newcomer-and-moderator.spec.ts': { part: 5, paths: ['e2e/axe.ts', 'e2e/pages/'] },
  'e2e/pages/member.spec.ts': { part: 4, paths: ['e2e/axe.ts', 'e2e/pages/'] },
  'e2e/pages/member-own.spec.ts': { part: 2, paths: ['e2e/axe.ts', 'e2e/pages/'] },
  'e2e/pages/administration.spec.ts': { part: 1, paths: ['e2e/axe.ts', 'e2e/pages/'] },
  'e2e/pages/administrator.spec.ts': { part: 6, paths: ['e2e/axe.ts', 'e2e/pages/'] },
  'e2e/pages/administration-content.spec.ts': { part: 3, paths: ['e2e/axe.ts', 'e2e/pages/'] },
  'e2e/pages/administration-cohorts.spec.ts': { part: 5, paths: ['e2e/axe.ts', 'e2e/pages/'] },
  'e2e/pages/administration-people.spec.ts': { part: 6, paths: ['e2e/axe.ts', 'e2e/pages/'] },
};
