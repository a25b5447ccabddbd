import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { query } from '../server/test/cluster.ts';
import { en, openDeliveryTwin } from '../server/test/delivery-twin.ts';
import { SAME_SITE } from './newcomer.ts';
import { startDemo, type DemoProduct } from './demo.ts';
import { visit, visitAs, type Visit } from './visitor.ts';
import { portOf } from '../server/test/process.ts';

const WRONG = 'wrong.address@example.gov';
let refuses = true;
const sent: string[] = [];
const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onRcptTo: ({ address }, _, done) =>
    done(
      refuses && address === WRONG
        ? Object.assign(new Error(`<${address}> no such mailbox here`), { responseCode: 550 })
        : null,
    ),
  onData: (stream, { envelope }, done) => {
    stream.on('end', () => {
      sent.push(...envelope.rcptTo.map(({ address }) => address));
      done();
    });
    stream.resume();
  },
});

/** A content platform with one published microcourse whose event was never sent. */
const platform = await openDeliveryTwin();
platform.put({
  id: 'missed',
  type: 'microcourse',
  version: 1,
  fields: { title: en('Missed until now'), slug: en('missed'), body: en('Words.') },
});

/** A product of its own with a mail server, a content platform and jobs that may fail. */
let product: DemoProduct;
let admin: Visit;
beforeAll(async () => {
  await new Promise<void>((ready) => smtp.listen(0, '127.0.0.1', ready));
  const port = portOf(smtp.server);
  product = await startDemo({ SMTP_URL: `smtp://127.0.0.1:${port}`, ...platform.settings });
  admin = await visitAs('admin', { baseURL: product.url });
});
afterAll(async () => {
  await platform.close();
  await product.stop();
  await new Promise<void>((closed) => smtp.close(closed));
});

const waitForText = async (page: Page, text: string | RegExp) => await page.getByText(text).first().waitFor();

describe('operations', () => {
  it('shows a rejected mail with the mail server’s response and resends it on retry', async () => {
    const stranger = await visit({ baseURL: product.url });
    const data = { name: 'Wrong Address', email: WRONG };
    expect((await stranger.context.request.post('/api/auth/users', { data, headers: SAME_SITE })).ok()).toBe(true);
    const { page, faults } = admin;
    await expect
      .poll(
        async () => {
          await page.goto('/admin');
          return await page.getByRole('link', { name: '1 e-mail was refused' }).count();
        },
        { timeout: 20_000 },
      )
      .toBe(1);
    await page.getByRole('link', { name: '1 e-mail was refused' }).click();
    await waitForText(page, /550 <w…@example\.gov> no such mailbox here/);
    expect(await page.content()).not.toContain('wrong.address');
    const csv = await (await admin.context.request.get('/admin/operations/mails.csv?status=failed')).text();
    expect(csv).toContain('no such mailbox here');
    expect(csv).not.toContain('wrong.address');
    refuses = false;
    await page.getByRole('button', { name: 'Retry: w…@example.gov' }).click();
    await waitForText(page, 'The e-mail is being resent.');
    await expect.poll(() => sent, { timeout: 20_000 }).toContain(WRONG);
    await page.goto('/admin/operations/mails?status=sent');
    await page.getByRole('rowheader', { name: 'w…@example.gov' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('shows a failed job and retries it without JavaScript', async () => {
    await query(
      product.databaseUrl,
      `insert into jobs.job (id, name, data, source_name, source_id, source_created_on, source_retry_count, source_output)
       values ('${randomUUID()}', 'platform.dead-letters', '{"keys": []}', 'platform.remove-files', '${randomUUID()}',
         now() - interval '1 hour', 20, '{"reason": "EACCES"}')`,
    );
    const { page } = await visitAs('admin', { baseURL: product.url, javaScriptEnabled: false });
    await page.goto('/admin/operations/jobs?queue=platform.remove-files');
    const row = page.getByRole('row', { name: /platform\.remove-files.*EACCES.*21/ });
    await row.waitFor();
    await row.getByRole('button', { name: /^Retry/ }).click();
    await waitForText(page, '1 job is being retried.');
    await waitForText(page, 'No failed jobs.');
  });

  it('fetches content whose webhook was missed, with and without JavaScript', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const { page } = await visitAs('admin', { baseURL: product.url, javaScriptEnabled });
      await page.goto('/admin/operations/webhooks');
      await page.getByRole('button', { name: 'Compare everything now' }).click();
      await waitForText(page, 'The comparison has started.');
      await expect
        .poll(async () => {
          await page.reload();
          return await page.getByText(javaScriptEnabled ? 'Fetched: 1.' : 'Fetched: 0.').count();
        })
        .toBe(1);
      if (javaScriptEnabled) await page.getByRole('rowheader').first().waitFor();
    }
    const { page } = await visitAs('admin', { baseURL: product.url });
    await expect.poll(async () => (await page.goto('/microcourses/en/missed'))?.status()).toBe(200);
  });

  it('exports everything into a file to download, with and without JavaScript', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const { page } = await visitAs('admin', { baseURL: product.url, javaScriptEnabled });
      await page.goto('/admin/operations/export');
      await page.getByRole('button', { name: 'Create an export' }).click();
      await waitForText(page, 'The export is being created. You can leave this page.');
      const downloads = page.getByRole('link', { name: 'Download' });
      await expect
        .poll(
          async () => {
            await page.goto('/admin/operations/export');
            return await downloads.count();
          },
          { timeout: 30_000 },
        )
        .toBe(javaScriptEnabled ? 1 : 2);
      const [file] = await Promise.all([page.waitForEvent('download'), downloads.first().click()]);
      expect(file.suggestedFilename()).toMatch(/^officium-export-\d{4}-\d\d-\d\d\.zip$/);
    }
  });

  it('lists the running components', async () => {
    const { page } = await visitAs('admin', { baseURL: product.url });
    await page.goto('/admin/operations');
    await waitForText(page, 'PostgreSQL');
    await page.getByRole('rowheader', { name: 'all' }).waitFor();
  });

  it('is for administrators only', async () => {
    const { page } = await visitAs('learner', { baseURL: product.url });
    for (const path of ['', '/jobs', '/mails', '/webhooks', '/export', '/jobs.csv', '/mails.csv', '/webhooks.csv'])
      expect([path, (await page.request.get(`/admin/operations${path}`)).status()]).toEqual([path, 403]);
  });
});
