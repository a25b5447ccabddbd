import type { Config } from '@react-router/dev/config';

export default {
  ssr: true,
  // The list of routes is small and cacheable; asking for it piece by piece would cost a request per link seen.
  routeDiscovery: { mode: 'initial' },
} satisfies Config;
