import { it } from 'vitest';
import { visitAs } from './visitor.ts';
import { callApi } from './newcomer.ts';
it('shoots', { timeout: 120000 }, async () => {
  for (const [name, options, q] of [
    ['wide', { viewport: { width: 1280, height: 900 } }, 'en'],
    ['narrow', { viewport: { width: 320, height: 800 } }, 'en'],
    ['ar', { viewport: { width: 1000, height: 900 } }, 'ar'],
    ['dark', { viewport: { width: 1000, height: 900 }, colorScheme: 'dark' }, 'en'],
  ] as const) {
    const learner = await visitAs('learner', options as any);
    await learner.page.goto('/me/learning/transcript?locale=' + q);
    await learner.page.screenshot({ path: `/tmp/shot-tr-${name}.png`, fullPage: true });
    const { viewer } = await callApi(learner.context, 'GET', '/api/auth/session');
    const admin = await visitAs('admin', options as any);
    const pages: Record<string, string> = {
      person: `/admin/people/${viewer.id}/transcript`,
      course: '/admin/reports/courses/plain-language',
    };
    for (const [page, path] of Object.entries(pages)) {
      await admin.page.goto(path + '?locale=' + q);
      await admin.page.screenshot({ path: `/tmp/shot-${page}-${name}.png`, fullPage: true });
    }
    if (name === 'wide') await learner.page.pdf({ path: '/tmp/print.pdf', format: 'A4' }).catch(() => undefined);
  }
});
