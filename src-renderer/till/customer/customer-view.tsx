import { IconBan, IconCircleCheckFilled, IconClock } from '@tabler/icons-react';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { InertText } from '../../components/text/inert-text.tsx';
import { Money } from '../../components/text/money.tsx';
import { QrCode } from '../../components/text/qr-code.tsx';
import classes from './customer.module.css';
import type { Seen, SeenShop } from './seen.ts';

const words = messages.till;

type Of<Kind extends Seen['kind']> = Extract<Seen, { kind: Kind }>;

/** What stands on the customer's screen. */
export function CustomerView({ seen, shop }: { seen: Seen; shop: SeenShop }) {
  if (seen.kind === 'quiet') return <Quiet shop={shop} />;
  return (
    <>
      <header className={classes.head}>
        <Who shop={shop} />
      </header>
      {seen.kind === 'cart' && <Cart seen={seen} />}
      {seen.kind === 'moment' && <Moment seen={seen} />}
      {seen.kind === 'code' && <Code seen={seen} />}
      {seen.kind === 'end' && <End seen={seen} />}
    </>
  );
}

const Quiet = ({ shop }: { shop: SeenShop }) => (
  <div className={classes.middle}>
    <Who shop={shop} />
  </div>
);

/** The shop. The name of the logo is that of the shop, which stands beside it. */
const Who = ({ shop: { name, logo } }: { shop: SeenShop }) => (
  <div className={classes.who}>
    {logo !== null && <img src={logo} alt="" className={classes.logo} />}
    {name !== '' && (
      <h1 className={classes.name}>
        <InertText text={name} expands={false} />
      </h1>
    )}
  </div>
);

/** The newest line stands last, and is always in sight. */
const Cart = ({ seen: { lines, tax, total } }: { seen: Of<'cart'> }) => (
  <div className={classes.cart}>
    {lines.length > 0 && (
      <ul className={classes.lines} aria-label={words.customer.purchase}>
        {lines.toReversed().map(({ key, text, times, amount }) => (
          <li key={key} className={classes.line}>
            <span className={classes.what}>
              <InertText text={text} expands={false} />
              {times !== null && <span className={classes.times}>{times}</span>}
            </span>
            <Money text={amount} />
          </li>
        ))}
      </ul>
    )}
    <div className={classes.sums} role="status">
      {tax !== null && (
        <div className={classes.tax}>
          <span>{words.taxAdded}</span>
          <Money text={tax} />
        </div>
      )}
      <div className={classes.total}>
        <span>{words.customer.total}</span>
        <span className={classes.figure}>
          <Money text={total} fits />
        </span>
      </div>
    </div>
  </div>
);

const Moment = ({ seen: { amount } }: { seen: Of<'moment'> }) => (
  <div className={classes.middle} role="status">
    {amount !== null && <Figure text={amount} />}
    <p className={classes.said}>{words.customer.moment}</p>
  </div>
);

const Figure = ({ text }: { text: string }) => (
  <div className={classes.asked} data-testid="customer-amount">
    <Money text={text} fits />
  </div>
);

const Code = ({ seen: { link, purpose, asked, part } }: { seen: Of<'code'> }) => (
  <div className={classes.code}>
    <div className={classes.about}>
      {purpose !== null && (
        <p className={classes.purpose}>
          <InertText text={purpose} expands={false} />
        </p>
      )}
      <Figure text={asked} />
      <p className={classes.state} role="status" data-state={part === null ? 'waiting' : 'partly_paid'}>
        {messages.payments.statuses[part === null ? 'waiting' : 'partly_paid']}
      </p>
      {part !== null && <p className={classes.part}>{words.missing({ ...part })}</p>}
    </div>
    <div className={classes.scan}>
      <QrCode text={link} look={classes.qr} label={words.scan} />
      <p>{words.scan}</p>
    </div>
  </div>
);

/** How the sale ended. Only what the node has booked as paid is green. */
function End({ seen: { status, amount, part } }: { seen: Of<'end'> }) {
  const isPaid = status === 'paid';
  const Icon = isPaid ? IconCircleCheckFilled : status === 'expired' ? IconClock : IconBan;
  return (
    <div className={classes.middle} role="status">
      <Icon className={classes.sign} aria-hidden />
      <p className={classes.verdict}>{messages.payments.statuses[status]}</p>
      <Figure text={amount} />
      <p className={classes.said}>
        {isPaid ? words.customer.thanks : part === null ? words.nothing : words.customer.part({ arrived: part.arrived, whole: part.whole })}
      </p>
    </div>
  );
}
