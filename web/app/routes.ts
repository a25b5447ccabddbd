import { index, layout, route, type RouteConfig } from '@react-router/dev/routes';

// All routes, by area. A page is `areas/<area>/<thing>.page.tsx`; an address that only handles a form is
// `areas/<area>/<thing>.action.ts`. All are inside pages.tsx, whose error boundary keeps the header in place.
export default [
  layout('areas/frame/pages.tsx', [
    // frame
    index('areas/home/home.page.tsx'),
    route('language', 'areas/frame/language.action.ts'),
    route('theme', 'areas/frame/theme.action.ts'),
    route('dismiss-notice', 'areas/frame/dismiss-notice.action.ts'),
    route('preview', 'areas/frame/preview.action.ts'),
    route('offline', 'areas/frame/offline.page.tsx'),

    route('accessibility-statement', 'areas/about/accessibility.page.tsx'),
    route('accessibility', 'areas/about/accessibility.action.ts'),
    route('privacy', 'areas/about/privacy.page.tsx'),
    route('terms', 'areas/about/site-text.page.tsx', { id: 'terms' }),
    route('legal-notice', 'areas/about/site-text.page.tsx', { id: 'imprint' }),

    // help
    route('help', 'areas/help/help.page.tsx'),
    route('help/:page', 'areas/help/help-page.page.tsx'),

    // auth
    route('login', 'areas/auth/login.page.tsx'),
    route('login/second', 'areas/auth/login-second.page.tsx'),
    route('login/confirm', 'areas/auth/login-confirm.page.tsx'),
    route('login/provider', 'areas/auth/provider.page.tsx'),
    route('login/provider/start', 'areas/auth/provider-start.action.ts'),
    route('confirm', 'areas/auth/confirm.page.tsx'),
    route('logout', 'areas/auth/logout.action.ts'),
    route('signup', 'areas/auth/signup.page.tsx'),
    route('signup/confirm', 'areas/auth/signup-confirm.page.tsx'),
    route('welcome', 'areas/auth/welcome.page.tsx'),
    route('reset', 'areas/auth/reset.page.tsx'),
    route('email/confirm', 'areas/auth/email-confirm.page.tsx'),

    // learning
    route('courses', 'areas/learning/catalogue.page.tsx'),
    route('courses/:course', 'areas/learning/course.page.tsx'),
    route('courses/:course/:journey', 'areas/learning/journey.action.ts'),
    route('courses/:course/:journey/:lesson', 'areas/learning/lesson.page.tsx'),
    route('courses/:course/:journey/:lesson/attempts/:id', 'areas/learning/attempt.page.tsx'),
    route('courses/:course/:journey/:lesson/share/:id', 'areas/learning/discussion-share.page.tsx'),
    route('academies', 'areas/learning/academies.page.tsx'),
    route('academies/:slug', 'areas/learning/academy.page.tsx'),
    route('microcourses/en/:slug', 'areas/learning/microcourse.page.tsx'),
    route('me/learning', 'areas/learning/my-learning.page.tsx'),
    route('me/learning/transcript', 'areas/learning/transcript.page.tsx'),
    route('me/learning/transcript.csv', 'areas/learning/transcript.csv.ts'),
    route('me/learning/:course/:journey/evaluation', 'areas/learning/evaluation.page.tsx'),
    route('me/learning/:course/:journey/certificate', 'areas/learning/certificate-name.page.tsx'),
    route('payments/:id', 'areas/learning/payment.page.tsx'),
    route('certificates/:id', 'areas/learning/certificate.page.tsx'),

    // questions, solutions and hubs
    route('hubs', 'areas/learning/hubs.page.tsx'),
    route('hubs/:slug', 'areas/learning/hub.page.tsx'),
    route('questions', 'areas/learning/editorials.page.tsx', { id: 'questions' }),
    route('questions/:slug', 'areas/learning/editorial.page.tsx', { id: 'question' }),
    route('solutions', 'areas/learning/editorials.page.tsx', { id: 'solutions' }),
    route('solutions/:slug', 'areas/learning/editorial.page.tsx', { id: 'solution' }),

    // events
    route('events', 'areas/events/events.page.tsx'),
    route('events/:slug', 'areas/events/event.page.tsx'),
    route('me/events', 'areas/events/my-events.page.tsx'),

    // community
    route('communities', 'areas/community/communities.page.tsx'),
    route('communities/:slug', 'areas/community/community.page.tsx'),
    route('communities/:slug/membership', 'areas/community/membership.action.ts'),
    route('communities/:slug/react', 'areas/community/react.action.ts'),
    route('communities/:slug/members', 'areas/community/members.page.tsx'),
    route('communities/:slug/reports', 'areas/community/reports.page.tsx'),
    route('communities/:slug/rules', 'areas/community/rules.page.tsx'),
    route('communities/:slug/settings', 'areas/community/settings.page.tsx'),
    route('communities/:slug/log', 'areas/community/log.page.tsx'),
    route('communities/:slug/activities/:id', 'areas/community/thread.page.tsx'),
    route('communities/:slug/activities/:id/rank', 'areas/community/rank.page.tsx'),
    route('polls/:id/vote', 'areas/community/vote.action.ts'),
    route('moderation/articles', 'areas/community/article-reports.page.tsx'),
    route('moderation/courses/:course', 'areas/community/lesson-reports.page.tsx'),
    route('moderation/:id', 'areas/moderation/decision.page.tsx'),
    route('me/moderation', 'areas/moderation/mine.page.tsx'),
    route('moderation-report', 'areas/moderation/figures.page.tsx'),
    route('moderation-report.csv', 'areas/moderation/figures.csv.ts'),

    // articles
    route('articles', 'areas/articles/articles.page.tsx'),
    route('articles/new', 'areas/articles/article-new.page.tsx'),
    route('articles/:slug', 'areas/articles/article.page.tsx'),
    route('articles/:slug/edit', 'areas/articles/article-edit.page.tsx'),
    route('articles/:slug/share', 'areas/articles/share.page.tsx'),

    // people and me
    route('people/:id', 'areas/people/profile.page.tsx'),
    route('people/:id/connection', 'areas/people/connection.action.ts'),
    route('me', 'areas/people/me.action.ts'),
    route('me/settings', 'areas/settings/profile.page.tsx'),
    route('me/settings/account', 'areas/settings/account.page.tsx'),
    route('me/settings/delete', 'areas/settings/delete.page.tsx'),
    route('me/settings/following', 'areas/settings/following.page.tsx'),
    route('me/settings/notifications', 'areas/settings/notifications.page.tsx'),
    route('me/settings/privacy', 'areas/settings/privacy.page.tsx'),
    route('me/settings/privacy/exports/:id', 'areas/settings/export-file.action.ts'),
    route('me/settings/security', 'areas/settings/security.page.tsx'),
    route('me/settings/sessions', 'areas/settings/sessions.page.tsx'),
    route('goodbye', 'areas/settings/goodbye.page.tsx'),
    route('me/connections', 'areas/people/connections.page.tsx'),
    route('me/settings/picture', 'areas/people/picture.page.tsx'),

    // tasks
    route('tasks', 'areas/tasks/tasks.page.tsx'),
    route('tasks/:analysis', 'areas/tasks/analysis.page.tsx'),
    route('tasks/:analysis/csv', 'areas/tasks/analysis.csv.ts'),

    // notifications and search
    route('notifications', 'areas/notifications/inbox.page.tsx'),
    route('notifications/:id', 'areas/notifications/open.action.ts'),
    route('unsubscribe', 'areas/notifications/unsubscribe.page.tsx'),
    route('search', 'areas/search/search.page.tsx'),

    // administration
    layout('areas/admin/admin.layout.tsx', [
      // overview
      route('admin', 'areas/admin/overview.page.tsx'),
      route('admin/figures.csv', 'areas/admin/figures.csv.ts'),
      route('admin/reports', 'areas/admin/period-report.page.tsx'),
      route('admin/reports.csv', 'areas/admin/period-report.csv.ts'),
      route('admin/reports/courses/:course', 'areas/admin/course-report.page.tsx'),
      route('admin/reports/courses/:course.csv', 'areas/admin/course-report.csv.ts'),

      // cohorts
      route('admin/cohorts', 'areas/admin/cohorts.page.tsx'),
      route('admin/cohorts.csv', 'areas/admin/cohorts.csv.ts'),
      route('admin/cohorts/new', 'areas/admin/cohort-new.page.tsx'),
      route('admin/cohorts/:id', 'areas/admin/cohort-members.page.tsx'),
      route('admin/cohorts/:id/members.csv', 'areas/admin/cohort-members.csv.ts'),
      route('admin/cohorts/:id/invitations.csv', 'areas/admin/cohort-invitations.csv.ts'),
      route('admin/cohorts/:id/invitations', 'areas/admin/cohort-invitations.page.tsx'),
      route('admin/cohorts/:id/invitations/mail', 'areas/admin/cohort-invitation-mail.page.tsx'),
      route('admin/cohorts/:id/products', 'areas/admin/cohort-products.page.tsx'),
      route('admin/cohorts/:id/uploads', 'areas/admin/cohort-uploads.page.tsx'),
      route('admin/cohorts/:id/uploads/check/:draft', 'areas/admin/cohort-draft.page.tsx'),
      route('admin/cohorts/:id/uploads/:upload', 'areas/admin/cohort-upload.page.tsx'),
      route('admin/cohorts/:id/uploads/:upload/csv', 'areas/admin/cohort-upload.csv.ts'),
      route('admin/cohorts/:id/progress', 'areas/admin/cohort-progress.page.tsx'),
      route('admin/cohorts/:id/progress/:journey/csv', 'areas/admin/cohort-progress.csv.ts'),
      route('admin/cohorts/:id/details', 'areas/admin/cohort-details.page.tsx'),
      route('admin/cohorts/:id/enrol', 'areas/admin/cohort-enrol.page.tsx'),
      route('admin/cohorts/:id/delete', 'areas/admin/cohort-delete.page.tsx'),

      // products and permissions
      route('admin/products', 'areas/admin/products.page.tsx'),
      route('admin/products.csv', 'areas/admin/products.csv.ts'),
      route('admin/products/several', 'areas/admin/products-several.page.tsx'),
      route('admin/products/:id', 'areas/admin/product-access.page.tsx'),

      // auto-approval
      route('admin/approval', 'areas/admin/approval.page.tsx'),
      route('admin/approval.csv', 'areas/admin/approval.csv.ts'),
      route('admin/approval/test', 'areas/admin/approval-test.page.tsx'),
      route('admin/approval/:id', 'areas/admin/approval-rule.page.tsx'),

      // people
      route('admin/people', 'areas/admin/people.page.tsx'),
      route('admin/people.csv', 'areas/admin/people.csv.ts'),
      route('admin/roles', 'areas/admin/roles.page.tsx'),
      route('admin/enrolments', 'areas/admin/enrolments.page.tsx'),
      route('admin/people/new', 'areas/admin/people-new.page.tsx'),
      route('admin/people/:id', 'areas/admin/people-one.page.tsx'),
      route('admin/people/:id/transcript', 'areas/admin/person-transcript.page.tsx'),
      route('admin/people/:id/transcript.csv', 'areas/admin/person-transcript.csv.ts'),
      route('admin/people/:id/payments', 'areas/admin/person-payments.page.tsx'),
      route('admin/people/:id/administrator', 'areas/admin/people-administrator.page.tsx'),
      route('admin/people/:id/erase', 'areas/admin/people-erase.page.tsx'),

      // content
      route('admin/content', 'areas/authoring/pieces.page.tsx'),
      route('admin/content.csv', 'areas/authoring/pieces.csv.ts'),
      route('admin/content/new', 'areas/authoring/piece-new.page.tsx'),
      route('admin/content/:kind/:key', 'areas/authoring/piece.page.tsx'),
      route('admin/content/:kind/:key/preview', 'areas/authoring/piece-preview.page.tsx'),
      route('admin/content/:kind/:key/publish', 'areas/authoring/piece-publish.page.tsx'),
      route('admin/content/:kind/:key/versions', 'areas/authoring/piece-versions.page.tsx'),
      route('admin/content/:kind/:key/questions', 'areas/authoring/piece-questions.page.tsx'),
      route('admin/content/:kind/:key/evaluation', 'areas/authoring/piece-evaluation.page.tsx'),
      route('admin/content/:kind/:key/evaluation.csv', 'areas/authoring/piece-evaluation.csv.ts'),
      route('admin/content/:kind/:key/statistics', 'areas/authoring/piece-statistics.page.tsx'),
      route('admin/content/:kind/:key/statistics.csv', 'areas/authoring/piece-statistics.csv.ts'),
      route('admin/content/:kind/:key/extra-time', 'areas/authoring/piece-extra-time.page.tsx'),
      route('admin/content/folder', 'areas/authoring/folder.page.tsx'),
      route('admin/content/folder/:import', 'areas/authoring/folder-import.page.tsx'),
      route('admin/content/media', 'areas/authoring/media-list.page.tsx'),
      route('admin/content/check', 'areas/admin/content-check.page.tsx'),
      route('admin/content/check.csv', 'areas/admin/content-check.csv.ts'),

      // registrations for events
      route('admin/events/:slug', 'areas/admin/event-registrations.page.tsx'),
      route('admin/events/:slug/csv', 'areas/admin/event-registrations.csv.ts'),

      // moderation
      route('admin/marking', 'areas/marking/marking-list.page.tsx'),
      route('admin/marking/:id', 'areas/marking/marking.page.tsx'),
      route('admin/moderation', 'areas/admin/moderation.page.tsx'),
      route('admin/moderation.csv', 'areas/admin/moderation.csv.ts'),

      // the site itself
      route('admin/site', 'areas/admin/site.page.tsx'),
      route('admin/site/pages/:kind', 'areas/admin/site-text.page.tsx'),
      route('admin/site/certificate', 'areas/admin/site-certificate.page.tsx'),
      route('admin/site/languages', 'areas/admin/site-languages.page.tsx'),
      route('admin/site/notices', 'areas/admin/notices.page.tsx'),
      route('admin/site/notices/new', 'areas/admin/notice-new.page.tsx'),
      route('admin/site/notices/:id', 'areas/admin/notice.page.tsx'),
      route('admin/setup', 'areas/admin/setup.page.tsx'),
      route('admin/setup/:step', 'areas/admin/setup-step.page.tsx'),

      // issued certificates
      route('admin/certificates', 'areas/admin/certificates.page.tsx'),
      route('admin/certificates.csv', 'areas/admin/certificates.csv.ts'),

      // audit log and operations
      route('admin/audit', 'areas/admin/audit.page.tsx'),
      route('admin/audit.csv', 'areas/admin/audit.csv.ts'),
      route('admin/operations', 'areas/admin/operations.page.tsx'),
      route('admin/operations/jobs', 'areas/admin/operations-jobs.page.tsx'),
      route('admin/operations/jobs.csv', 'areas/admin/operations-jobs.csv.ts'),
      route('admin/operations/mails', 'areas/admin/operations-mails.page.tsx'),
      route('admin/operations/mails.csv', 'areas/admin/operations-mails.csv.ts'),
      route('admin/operations/export', 'areas/admin/operations-export.page.tsx'),
      route('admin/operations/export/:id', 'areas/admin/operations-export-file.action.ts'),
      route('admin/operations/webhooks', 'areas/admin/operations-webhooks.page.tsx'),
      route('admin/operations/webhooks.csv', 'areas/admin/operations-webhooks.csv.ts'),
    ]),

    ...(process.env.NODE_ENV === 'development' ? [route('styleguide', 'areas/frame/styleguide.page.tsx')] : []),
    route('*', 'areas/frame/not-found.page.tsx'),
  ]),
] satisfies RouteConfig;
