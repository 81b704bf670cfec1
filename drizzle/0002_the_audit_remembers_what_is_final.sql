DROP TABLE `signature_nonces`;
--> statement-breakpoint
DROP TABLE `ledger_days`;
--> statement-breakpoint
CREATE TABLE `client_trust` (
	`client_id` text PRIMARY KEY NOT NULL,
	`tier` text NOT NULL,
	`chosen_at` integer NOT NULL,
	CONSTRAINT "client_trust_tier" CHECK("client_trust"."tier" in ('stranger', 'known', 'trusted'))
) STRICT;
--> statement-breakpoint
CREATE TABLE `seen_signatures` (
	`mark` text PRIMARY KEY NOT NULL,
	`made_id` text
) STRICT;
--> statement-breakpoint
CREATE TABLE `stranger_rows` (
	`thing_id` text PRIMARY KEY NOT NULL,
	`key` text,
	`origin` text,
	`network` text,
	`made_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `stranger_rows_key` ON `stranger_rows` (`key`);--> statement-breakpoint
CREATE INDEX `stranger_rows_origin` ON `stranger_rows` (`origin`);--> statement-breakpoint
CREATE INDEX `stranger_rows_network` ON `stranger_rows` (`network`);--> statement-breakpoint
CREATE INDEX `stranger_rows_made` ON `stranger_rows` (`made_at`,`thing_id`);--> statement-breakpoint
CREATE TABLE `ledger_audit` (
	`id` text PRIMARY KEY NOT NULL,
	`good_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `ledger_closings` (
	`account_id` text PRIMARY KEY NOT NULL,
	`sum` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `ledger_damages` (
	`owner` text NOT NULL,
	`finding` text NOT NULL,
	`place` text NOT NULL,
	`good_at` integer,
	`found_at` integer NOT NULL,
	PRIMARY KEY(`owner`, `finding`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `ledger_pieces` (
	`number` integer PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`sums` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `ledger_quarters` (
	`asset_code` text NOT NULL,
	`asset_scale` integer NOT NULL,
	`start` integer NOT NULL,
	`received_high` integer NOT NULL,
	`sent_high` integer NOT NULL,
	`received_low` integer NOT NULL,
	`sent_low` integer NOT NULL,
	PRIMARY KEY(`asset_code`, `asset_scale`, `start`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `shop_settings` (
	`id` text PRIMARY KEY NOT NULL,
	`time_zone` text
) STRICT;
--> statement-breakpoint
CREATE TABLE `disk_days` (
	`day` integer PRIMARY KEY NOT NULL,
	`bytes` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `retention_clock` (
	`id` text PRIMARY KEY NOT NULL,
	`proven_at` integer NOT NULL,
	`held_since` integer
) STRICT;
--> statement-breakpoint
DROP INDEX `received_packets_age`;--> statement-breakpoint
CREATE INDEX `received_packets_rejected` ON `received_packets` (`created_at`) WHERE "received_packets"."incoming_payment_id" is null;--> statement-breakpoint
DROP INDEX `grants_continuation`;--> statement-breakpoint
DROP INDEX `grants_interaction`;--> statement-breakpoint
CREATE INDEX `grants_interactive` ON `grants` (`created_at`,`id`) WHERE "grants"."interactive" = 1;--> statement-breakpoint
CREATE INDEX `grants_used` ON `grants` (case when "last_used_at" is null then "created_at" else "last_used_at" end,`id`) WHERE "grants"."interactive" = 1;--> statement-breakpoint
CREATE INDEX `grants_named` ON `grants` (`client_id`,`id`) WHERE "grants"."interactive" = 1;--> statement-breakpoint
CREATE INDEX `grants_frozen` ON `grants` (`created_at`,`id`) WHERE "grants"."state" = 'frozen' and "grants"."interactive";--> statement-breakpoint
CREATE INDEX `grants_continuation` ON `grants` (`continuation_hash`);--> statement-breakpoint
CREATE INDEX `grants_interaction` ON `grants` (`interaction_nonce_hash`) WHERE "grants"."interaction_nonce_hash" is not null;--> statement-breakpoint
DROP INDEX `ledger_transfers_debit`;--> statement-breakpoint
DROP INDEX `ledger_transfers_credit`;--> statement-breakpoint
ALTER TABLE `ledger_transfers` ADD `number` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `ledger_transfers_number` ON `ledger_transfers` (`number`);--> statement-breakpoint
CREATE INDEX `ledger_transfers_unnumbered` ON `ledger_transfers` (`created_at`,`id`) WHERE "ledger_transfers"."number" is null;--> statement-breakpoint
CREATE INDEX `ledger_transfers_growing` ON `ledger_transfers` (`payment_id`) WHERE coalesce("ledger_transfers"."number", 0) = 0 and "ledger_transfers"."state" = 'posted';--> statement-breakpoint
CREATE INDEX `ledger_transfers_grown` ON `ledger_transfers` (`created_at`,`id`) WHERE coalesce("ledger_transfers"."number", 0) = 0 and "ledger_transfers"."state" = 'posted';--> statement-breakpoint
CREATE INDEX `ledger_transfers_debit` ON `ledger_transfers` (`debit_account_id`,`created_at`) WHERE substr("ledger_transfers"."debit_account_id", 1, 7) <> 'escrow:';--> statement-breakpoint
CREATE INDEX `ledger_transfers_credit` ON `ledger_transfers` (`credit_account_id`,`created_at`) WHERE substr("ledger_transfers"."credit_account_id", 1, 7) <> 'escrow:';--> statement-breakpoint
DROP INDEX `incoming_payments_listed`;--> statement-breakpoint
DROP INDEX `incoming_payments_own`;--> statement-breakpoint
DROP INDEX `incoming_payments_state`;--> statement-breakpoint
ALTER TABLE `incoming_payments` ADD `note` text;--> statement-breakpoint
CREATE INDEX `incoming_payments_unpaid` ON `incoming_payments` (`expires_at`,`id`) WHERE "incoming_payments"."received" = 0 and "incoming_payments"."client" is not null;--> statement-breakpoint
CREATE INDEX `incoming_payments_business` ON `incoming_payments` (`created_at`,`id`) WHERE "incoming_payments"."client" is null or "incoming_payments"."received" > 0;--> statement-breakpoint
CREATE INDEX `incoming_payments_not_paid` ON `incoming_payments` (`created_at`,`id`) WHERE "incoming_payments"."client" is not null and "incoming_payments"."received" = 0;--> statement-breakpoint
CREATE INDEX `incoming_payments_listed` ON `incoming_payments` (`wallet_address_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `incoming_payments_own` ON `incoming_payments` (`wallet_address_id`,`client`,`created_at`);--> statement-breakpoint
CREATE INDEX `incoming_payments_state` ON `incoming_payments` (`completed`,`created_at`,`id`) WHERE "incoming_payments"."received" = 0;--> statement-breakpoint
DROP INDEX `outgoing_payments_listed`;--> statement-breakpoint
DROP INDEX `outgoing_payments_own`;--> statement-breakpoint
DROP INDEX `outgoing_payments_state`;--> statement-breakpoint
CREATE INDEX `outgoing_payments_quote` ON `outgoing_payments` (`quote_id`);--> statement-breakpoint
CREATE INDEX `outgoing_payments_listed` ON `outgoing_payments` (`wallet_address_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `outgoing_payments_own` ON `outgoing_payments` (`wallet_address_id`,`client`,`created_at`);--> statement-breakpoint
CREATE INDEX `outgoing_payments_state` ON `outgoing_payments` (`state`,`created_at`,`id`) WHERE "outgoing_payments"."state" <> 'completed';--> statement-breakpoint
ALTER TABLE `operator_sessions` ADD `page_hash` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `operator_sessions` ADD `user_agent` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `access_tokens_ended` ON `access_tokens` (`expires_at`) WHERE "access_tokens"."state" <> 'active';--> statement-breakpoint
CREATE UNIQUE INDEX `access_tokens_own` ON `access_tokens` (`grant_id`,`id`);--> statement-breakpoint
CREATE INDEX `checkouts_failed` ON `checkouts` (`updated_at`) WHERE "checkouts"."state" = 'failed' and "checkouts"."outgoing_payment" is null;--> statement-breakpoint
CREATE INDEX `ledger_accounts_exchange` ON `ledger_accounts` (`asset_code`,`asset_scale`) WHERE "ledger_accounts"."kind" = 'exchange';--> statement-breakpoint
CREATE INDEX `quotes_receiver` ON `quotes` (`receiver_id`);--> statement-breakpoint
CREATE INDEX `quotes_unused` ON `quotes` (`expires_at`) WHERE "quotes"."outgoing_payment_id" is null;--> statement-breakpoint
CREATE INDEX `wallet_addresses_listed` ON `wallet_addresses` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `peers_listed` ON `peers` (`created_at`,`id`) WHERE "peers"."state" <> 'removed';--> statement-breakpoint
CREATE INDEX `events_passing` ON `events` (`at`) WHERE substr("events"."type", 1, 8) not in ('incoming', 'outgoing');