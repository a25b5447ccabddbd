import { index, route, type RouteConfig } from '@react-router/dev/routes';

// Every address of the web, by area. A page is `areas/<area>/<thing>.page.tsx`; an address that only answers a form is
// `areas/<area>/<thing>.action.ts`.
export default [
  // frame
  index('areas/home/home.page.tsx'),
  route('language', 'areas/frame/language.action.ts'),
  route('theme', 'areas/frame/theme.action.ts'),
  route('offline', 'areas/frame/offline.page.tsx'),

  // auth

  // learning

  // community

  // articles

  // people and me

  // tasks

  // notifications and search

  // admin

  ...(process.env.NODE_ENV === 'development' ? [route('styleguide', 'areas/frame/styleguide.page.tsx')] : []),
  route('*', 'areas/frame/not-found.page.tsx'),
] satisfies RouteConfig;
