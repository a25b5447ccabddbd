import { useState, type ReactNode } from 'react';
import { useLoaderData, type ActionFunctionArgs, type LoaderFunctionArgs } from 'react-router';
import { act, load, refuse } from '../../server/api.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { announce } from '../../ui/announce.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Card, Row, RowList } from '../../ui/card.tsx';
import { Cover } from '../../ui/cover.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Checkbox, Field, FieldGroup, Radio, Select, TextArea } from '../../ui/field.tsx';
import { Head } from '../../ui/head.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Progress } from '../../ui/progress.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Tag } from '../../ui/tag.tsx';
import { Time } from '../../ui/time.tsx';
import { FrontPage } from '../home/front-page.tsx';
import { ADA, NOBODY, SAMPLE } from './styleguide-sample.ts';

// Development only: its texts are not in the catalogues, and its route types are not always generated.

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { url } = await load(request, context);
  return {
    view: url.searchParams.get('view') ?? 'components',
    now: new Date(Date.now() - 3 * 3_600_000).toISOString(),
  };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { fields } = await act(request, context);
  return refuse({
    message: 'Name must have at least 1 character',
    issues: [
      { path: 'name', message: 'Name must have at least 1 character' },
      { path: 'email', message: 'Must be an e-mail address' },
    ],
    values: Object.fromEntries([...fields].map(([name, value]) => [name, String(value)])),
  });
}

export default function Styleguide() {
  const loaderData = useLoaderData<typeof loader>();
  if (loaderData.view === 'front') {
    return (
      <>
        <Head title="Front page" isPrivate />
        <FrontPage words={{ headline: null, lead: null }} front={SAMPLE} />
      </>
    );
  }
  return (
    <div className="page py-10">
      <Head title="Style guide" isPrivate />
      <h1 className="text-5xl">Style guide</h1>
      <p className="mt-2 text-lg text-muted">
        Every component.{' '}
        <a className="link" href="?view=front">
          The front page with content
        </a>
        .
      </p>
      <Typography />
      <Buttons />
      <Forms />
      <Messages now={loaderData.now} />
      <Lists />
      <Reading />
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-10 border-t border-line pt-4">
      <h2 className="mb-4 text-2xl">{title}</h2>
      {children}
    </section>
  );
}

function Typography() {
  return (
    <Part title="Type and colour">
      <p className="font-serif text-6xl">Duty, service, office</p>
      <p className="font-serif text-3xl">A well-edited journal with a good seminar attached</p>
      <p>
        Body in Public Sans. <span className="text-muted">Muted words.</span>{' '}
        <a href="/" className="link">
          A link
        </a>
        .
      </p>
      <div className="mt-3 flex flex-wrap gap-2 text-sm">
        {[
          'bg-paper',
          'bg-card',
          'bg-sunk',
          'bg-accent text-on-accent',
          'bg-accent-soft',
          'bg-marigold text-[#1b1f3b]',
          'bg-band text-on-band',
          'bg-danger-soft',
          'bg-success-soft',
        ].map((name) => (
          <span key={name} className={`rounded border border-line px-3 py-4 ${name}`}>
            {name.split(' ')[0]}
          </span>
        ))}
      </div>
    </Part>
  );
}

function Buttons() {
  const [isOpen, setOpen] = useState(false);
  return (
    <Part title="Buttons, menu, dialog">
      <div className="flex flex-wrap items-center gap-3">
        <Button type="button" onClick={() => announce('Joined')}>
          Join City makers
        </Button>
        <Button type="button" look="secondary">
          Save as draft
        </Button>
        <Button type="button" look="quiet">
          Cancel
        </Button>
        <Button type="button" look="danger" onClick={() => setOpen(true)}>
          Delete post
        </Button>
        <Button type="button" look="marigold">
          Create an account
        </Button>
        <Button type="button" small>
          Small
        </Button>
        <Button type="button" isBusy>
          Joining
        </Button>
        <LinkButton to="/courses" look="secondary">
          A link
        </LinkButton>
        <Menu label="More" align="start">
          <a className="menu-item" href="#share">
            Share
          </a>
          <a className="menu-item" href="#report">
            Report
          </a>
        </Menu>
      </div>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="Delete this post?">
        <p>The post and its 12 replies will be gone for everyone.</p>
        <div className="mt-5 flex gap-3">
          <Button type="button" look="danger" onClick={() => setOpen(false)}>
            Delete post and replies
          </Button>
          <Button type="button" look="quiet" onClick={() => setOpen(false)}>
            Keep it
          </Button>
        </div>
      </Dialog>
    </Part>
  );
}

function Forms() {
  const { isSubmitting } = useSubmitting();
  return (
    <Part title="Form (send it to see a refusal)">
      <SmartForm className="grid max-w-xl gap-5">
        <Field name="name" label="Name" autoComplete="name" required />
        <Field name="email" label="E-mail" hint="Your work address." type="email" autoComplete="email" required />
        <TextArea name="about" label="About you" />
        <Select
          name="country"
          label="Country"
          required
          options={[
            { value: 'in', label: 'India' },
            { value: 'pl', label: 'Poland' },
          ]}
        />
        <FieldGroup legend="How often should we write?" name="often">
          <Radio name="often" value="day" label="Every day" defaultChecked />
          <Radio name="often" value="week" label="Once a week" hint="On Monday morning" />
        </FieldGroup>
        <Checkbox name="terms" label="I agree to be kind" />
        <div>
          <Button isBusy={isSubmitting}>Create account</Button>
        </div>
      </SmartForm>
    </Part>
  );
}

function Messages({ now }: { now: string }) {
  return (
    <Part title="Messages and small things">
      <div className="grid gap-3">
        <Notice>Shown in English because there is no Polish version yet.</Notice>
        <Notice tone="success" title="Enrolled">
          You can start the first lesson.
        </Notice>
        <Notice tone="danger">The file is too large. Choose one under 5 MB.</Notice>
      </div>
      <div className="mt-5 flex flex-wrap items-center gap-3">
        {['Ada Lovelace', 'محمد علي', '山田 太郎', 'Jan', ''].map((name) => (
          <Avatar key={name} name={name} />
        ))}
        <Tag>Climate</Tag>
        <Tag look="accent">New</Tag>
        <Tag look="success">Completed</Tag>
        <Tag look="danger">Expired</Tag>
        <Tag look="here">You are here</Tag>
        <Tag to="/articles">A link</Tag>
        <Time value={now} />
        <Time value="2026-01-31T10:00:00.000Z" look="exact" />
      </div>
      <div className="mt-5 max-w-md">
        <Progress label="Journey" value={7} max={12} />
      </div>
      <div className="mt-5">
        <Tabs
          label="Feed"
          tabs={[
            { to: '?tab=recent', label: 'Recent', isCurrent: true, count: '12' },
            { to: '?tab=top', label: 'Most useful', isCurrent: false },
          ]}
        />
      </div>
      <Pagination previous="?page=1" next="?page=3" page={2} />
    </Part>
  );
}

function Lists() {
  return (
    <Part title="Cards, rows, covers, empty places">
      <ul className="grid gap-6 sm:grid-cols-2 lg:grid-cols-3">
        {SAMPLE.courses.map(({ slug, title, subtitle }) => (
          <li key={slug}>
            <Card to={`/courses/${slug}`} title={title} kicker="Course" meta="40 minutes" cover={<Cover slug={slug} />}>
              {subtitle}
            </Card>
          </li>
        ))}
      </ul>
      <ul className="mt-6 grid grid-cols-2 gap-3 sm:grid-cols-4 lg:grid-cols-6">
        {Array.from({ length: 12 }, (_, index) => (
          <li key={index} className="aspect-video overflow-hidden rounded">
            <Cover slug={`sample-${index}`} />
          </li>
        ))}
      </ul>
      <div className="mt-6">
        <RowList>
          <Row
            to="/people/1"
            title="Ada Lovelace"
            lead={<Avatar name="Ada Lovelace" size={48} />}
            action={
              <Button type="button" look="secondary" small>
                Connect
              </Button>
            }
          >
            Policy analyst, Ministry of Digital Affairs
          </Row>
        </RowList>
      </div>
      <div className="mt-6">
        <EmptyState title="No posts yet" action={<LinkButton to="/communities">Write the first one</LinkButton>}>
          Questions, finds and stories from members will appear here.
        </EmptyState>
      </div>
    </Part>
  );
}

function Reading() {
  const { locale } = useText();
  return (
    <Part title="Rich text">
      <RichText
        lang={locale === 'ar' ? 'en' : undefined}
        people={{ [ADA]: 'Ada Lovelace' }}
        html={`<p>Ask {{${ADA}}} or {{${NOBODY}}}; <a href="/">a link with {{${ADA}}}</a>, <strong>bold</strong>, <code>code</code>.</p><h2>A heading</h2><ul><li>One</li><li>Two</li></ul><blockquote><p>Nothing is so simple that it cannot be said badly.</p></blockquote><table><tbody><tr><th>Year</th><td>2026</td></tr></tbody></table>`}
      />
    </Part>
  );
}
