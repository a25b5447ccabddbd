import { load } from '../../api.ts';
import { useText } from '../../text.tsx';
import { Head } from '../../ui/head.tsx';
import type { Route } from './+types/home.page';
import { emptyFront, type Front } from './front.ts';
import { FrontPage } from './front-page.tsx';

export async function loader({ request, context }: Route.LoaderArgs) {
  await load(request, context);
  // Today, for those signed in, and the lists below come from the learner, community and article areas.
  const front: Front = emptyFront;
  return { front };
}

export default function Home({ loaderData }: Route.ComponentProps) {
  const { t } = useText();
  return (
    <>
      <Head title={t('home.title_short')} description={t('home.description')} />
      <FrontPage front={loaderData.front} />
    </>
  );
}
