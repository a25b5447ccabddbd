import { index, layout, route, type RouteConfig } from '@react-router/dev/routes';

// Every address of the web, by area. A page is `areas/<area>/<thing>.page.tsx`; an address that only answers a form is
// `areas/<area>/<thing>.action.ts`. All stand inside pages.tsx, whose error boundary keeps the header where it is.
export default [
  layout('areas/frame/pages.tsx', [
    // frame
    index('areas/home/home.page.tsx'),
    route('language', 'areas/frame/language.action.ts'),
    route('theme', 'areas/frame/theme.action.ts'),
    route('offline', 'areas/frame/offline.page.tsx'),

    route('accessibility-statement', 'areas/about/accessibility.page.tsx'),
    route('privacy', 'areas/about/privacy.page.tsx'),

    // auth
    route('login', 'areas/auth/login.page.tsx'),
    route('login/confirm', 'areas/auth/login-confirm.page.tsx'),
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
    route('academies', 'areas/learning/academies.page.tsx'),
    route('academies/:slug', 'areas/learning/academy.page.tsx'),
    route('microcourses/en/:slug', 'areas/learning/microcourse.page.tsx'),
    route('me/learning', 'areas/learning/my-learning.page.tsx'),
    route('me/learning/:course/:journey/certificate', 'areas/learning/certificate-name.page.tsx'),
    route('certificates/:id', 'areas/learning/certificate.page.tsx'),

    // community
    route('communities', 'areas/community/communities.page.tsx'),
    route('communities/:slug', 'areas/community/community.page.tsx'),
    route('communities/:slug/membership', 'areas/community/membership.action.ts'),
    route('communities/:slug/react', 'areas/community/react.action.ts'),
    route('communities/:slug/members', 'areas/community/members.page.tsx'),
    route('communities/:slug/activities/:id', 'areas/community/thread.page.tsx'),
    route('polls/:id/vote', 'areas/community/vote.action.ts'),

    // articles
    route('articles', 'areas/articles/articles.page.tsx'),
    route('articles/:slug', 'areas/articles/article.page.tsx'),

    // people and me
    route('people/:id', 'areas/people/profile.page.tsx'),
    route('me', 'areas/people/me.action.ts'),
    route('me/settings', 'areas/people/settings.page.tsx'),

    // tasks

    // notifications and search
    route('search', 'areas/search/search.page.tsx'),

    // admin

    ...(process.env.NODE_ENV === 'development' ? [route('styleguide', 'areas/frame/styleguide.page.tsx')] : []),
    route('*', 'areas/frame/not-found.page.tsx'),
  ]),
] satisfies RouteConfig;
