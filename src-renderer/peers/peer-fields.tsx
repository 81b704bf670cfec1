import { Accordion, Checkbox, PasswordInput, Stack, Textarea, TextInput } from '@mantine/core';
import type { Asset } from '../../src-shared/amounts.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { AmountInput } from '../components/forms/amount-input.tsx';
import { FieldPair } from '../components/forms/field-pair.tsx';
import type { Faults, PeerDraft } from './peer-draft.ts';
import classes from './peers.module.css';

const words = messages.peers;

interface FieldsProps {
  draft: PeerDraft;
  faults: Faults;
  disabled: boolean;
  onChange: (change: Partial<PeerDraft>) => void;
}

/** The fields for what the peer's operator has told: its address, its endpoint, and the token for this node. */
export function TheirFields({ draft, faults, disabled, onChange, keepsToken }: FieldsProps & { keepsToken: boolean }) {
  return (
    <>
      <TextInput
        label={words.ilpAddress}
        description={words.ilpAddressHint}
        value={draft.ilpAddress}
        onChange={(event) => onChange({ ilpAddress: event.currentTarget.value })}
        error={faults.ilpAddress}
        maxLength={512}
        autoComplete="off"
        spellCheck={false}
        disabled={disabled}
        required
      />
      <TextInput
        label={words.endpoint}
        description={words.endpointHint}
        value={draft.endpoint}
        onChange={(event) => onChange({ endpoint: event.currentTarget.value })}
        error={faults.endpoint}
        inputMode="url"
        maxLength={2048}
        autoComplete="off"
        spellCheck={false}
        disabled={disabled}
        required
      />
      <PasswordInput
        label={words.outgoingToken}
        description={keepsToken ? words.outgoingTokenEdit : words.outgoingTokenHint}
        value={draft.outgoingToken}
        onChange={(event) => onChange({ outgoingToken: event.currentTarget.value })}
        error={faults.outgoingToken}
        maxLength={512}
        autoComplete="off"
        disabled={disabled}
        required={!keepsToken}
      />
    </>
  );
}

/** The fields for how far this node trusts the peer. */
export function LimitFields({ draft, faults, disabled, onChange, asset }: FieldsProps & { asset: Asset }) {
  return (
    <FieldPair>
      <AmountInput
        label={words.creditLimit}
        description={words.creditLimitHint}
        asset={asset}
        value={draft.creditLimit}
        onChange={(creditLimit) => onChange({ creditLimit })}
        error={faults.creditLimit}
        disabled={disabled}
      />
      <AmountInput
        label={words.debtLimit}
        description={words.debtLimitHint}
        asset={asset}
        value={draft.debtLimit}
        onChange={(debtLimit) => onChange({ debtLimit })}
        error={faults.debtLimit}
        disabled={disabled}
      />
    </FieldPair>
  );
}

/** The fields that most peers never need. */
export function FurtherFields({ draft, faults, disabled, onChange, asset }: FieldsProps & { asset: Asset }) {
  return (
    <Accordion
      variant="separated"
      classNames={{ item: classes.details ?? '' }}
      defaultValue={faults.routes || faults.maxPacket ? 'details' : null}
    >
      <Accordion.Item value="details">
        <Accordion.Control>{words.details}</Accordion.Control>
        <Accordion.Panel>
          <Stack gap="md">
            <Textarea
              label={words.routes}
              description={words.routesHint}
              value={draft.routes}
              onChange={(event) => onChange({ routes: event.currentTarget.value })}
              error={faults.routes}
              spellCheck={false}
              disabled={disabled}
              rows={3}
            />
            <AmountInput
              label={words.maxPacket}
              description={words.maxPacketHint}
              asset={asset}
              value={draft.maxPacket}
              onChange={(maxPacket) => onChange({ maxPacket })}
              error={faults.maxPacket}
              disabled={disabled}
            />
            <Checkbox
              label={words.deduplicates}
              description={words.deduplicatesHint}
              checked={draft.deduplicates}
              onChange={(event) => onChange({ deduplicates: event.currentTarget.checked })}
              disabled={disabled}
            />
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}
