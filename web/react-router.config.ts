import type { Config } from '@react-router/dev/config';

export default {
  ssr: true,
  // The route list is small and cacheable; discovering routes lazily would cost a request per visible link.
  routeDiscovery: { mode: 'initial' },
} satisfies Config;
