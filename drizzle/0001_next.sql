CREATE TABLE `backup_schedule` (
	`id` text PRIMARY KEY NOT NULL,
	`folder` text NOT NULL,
	`every_hours` integer NOT NULL,
	`keep` integer NOT NULL,
	`passphrase` text NOT NULL,
	`due_at` integer NOT NULL,
	`problem` text
) STRICT;
--> statement-breakpoint
CREATE TABLE `backups` (
	`id` text PRIMARY KEY NOT NULL,
	`file` text NOT NULL,
	`bytes` integer NOT NULL,
	`scheduled` integer NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `backups_age` ON `backups` (`created_at`);--> statement-breakpoint
CREATE TABLE `checkouts` (
	`id` text PRIMARY KEY NOT NULL,
	`incoming_payment_id` text NOT NULL,
	`state` text NOT NULL,
	`reason` text,
	`visitor_hash` text NOT NULL,
	`wallet_address` text NOT NULL,
	`amount` integer NOT NULL,
	`sealed` text,
	`outgoing_payment` text,
	`tries` integer NOT NULL,
	`due_at` integer,
	`created_at` integer NOT NULL,
	`lapses_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`incoming_payment_id`) REFERENCES `incoming_payments`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "checkouts_state" CHECK("checkouts"."state" in ('asking', 'approving', 'returned', 'paying', 'paid', 'failed')),
	CONSTRAINT "checkouts_amount" CHECK("checkouts"."amount" > 0)
) STRICT;
--> statement-breakpoint
CREATE INDEX `checkouts_payment` ON `checkouts` (`incoming_payment_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `checkouts_open` ON `checkouts` (`lapses_at`) WHERE "checkouts"."state" in ('asking', 'approving', 'returned', 'paying');--> statement-breakpoint
CREATE TABLE `rates` (
	`base` text NOT NULL,
	`quote` text NOT NULL,
	`rate` text NOT NULL,
	`spread_bps` integer NOT NULL,
	`source` text NOT NULL,
	`as_of` integer NOT NULL,
	`max_age_seconds` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`base`, `quote`),
	CONSTRAINT "rates_pair" CHECK("rates"."base" <> "rates"."quote"),
	CONSTRAINT "rates_spread" CHECK("rates"."spread_bps" between 0 and 9999),
	CONSTRAINT "rates_age" CHECK("rates"."max_age_seconds" > 0)
) STRICT;
--> statement-breakpoint
CREATE TABLE `ledger_days` (
	`asset_code` text NOT NULL,
	`asset_scale` integer NOT NULL,
	`day` integer NOT NULL,
	`received_high` integer NOT NULL,
	`sent_high` integer NOT NULL,
	`received_low` integer NOT NULL,
	`sent_low` integer NOT NULL,
	PRIMARY KEY(`asset_code`, `asset_scale`, `day`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `operator_lock` (
	`id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`salt` text NOT NULL,
	`cost_n` integer NOT NULL,
	`cost_r` integer NOT NULL,
	`cost_p` integer NOT NULL,
	`idle_minutes` integer,
	`at_start` integer NOT NULL,
	`locked_for` text,
	`wrong_attempts` integer NOT NULL,
	`last_attempt_at` integer
) STRICT;
--> statement-breakpoint
CREATE TABLE `peers` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`state` text NOT NULL,
	`asset_code` text NOT NULL,
	`asset_scale` integer NOT NULL,
	`ilp_address` text NOT NULL,
	`routes` text NOT NULL,
	`endpoint` text NOT NULL,
	`outgoing_token` text NOT NULL,
	`incoming_token_hash` text NOT NULL,
	`debt_limit` integer,
	`in_flight` integer NOT NULL,
	`max_packet_amount` integer,
	`deduplicates` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "peers_state" CHECK("peers"."state" in ('active', 'paused', 'removed')),
	CONSTRAINT "peers_in_flight" CHECK("peers"."in_flight" >= 0)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `peers_incoming_token` ON `peers` (`incoming_token_hash`) WHERE "peers"."state" <> 'removed';--> statement-breakpoint
CREATE TABLE `received_packets` (
	`peer_id` text NOT NULL,
	`condition` text NOT NULL,
	`incoming_payment_id` text,
	`source_amount` integer NOT NULL,
	`amount` integer NOT NULL,
	`reply` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`peer_id`, `condition`),
	FOREIGN KEY (`peer_id`) REFERENCES `peers`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `received_packets_payment` ON `received_packets` (`incoming_payment_id`,`peer_id`);--> statement-breakpoint
CREATE INDEX `received_packets_age` ON `received_packets` (`created_at`);--> statement-breakpoint
CREATE TABLE `sent_packets` (
	`condition` text PRIMARY KEY NOT NULL,
	`peer_id` text NOT NULL,
	`outgoing_payment_id` text NOT NULL,
	`state` text NOT NULL,
	`prepare` text NOT NULL,
	`source_amount` integer NOT NULL,
	`peer_amount` integer NOT NULL,
	`shared_secret` text,
	`received_from_others` text,
	`delivered` integer,
	`code` text,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	FOREIGN KEY (`peer_id`) REFERENCES `peers`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "sent_packets_state" CHECK("sent_packets"."state" in ('held', 'fulfilled', 'rejected', 'unknown')),
	CONSTRAINT "sent_packets_amounts" CHECK("sent_packets"."source_amount" > 0 and "sent_packets"."peer_amount" >= 0)
) STRICT;
--> statement-breakpoint
CREATE INDEX `sent_packets_payment` ON `sent_packets` (`outgoing_payment_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `sent_packets_open` ON `sent_packets` (`outgoing_payment_id`) WHERE "sent_packets"."state" in ('held', 'unknown');--> statement-breakpoint
CREATE TABLE `activities` (
	`number` integer PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`operation` text NOT NULL,
	`type` text NOT NULL,
	`subject` text NOT NULL,
	`wallet_address_id` text,
	`body` text NOT NULL,
	`hash` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `activity_head` (
	`id` text PRIMARY KEY NOT NULL,
	`number` integer NOT NULL,
	`hash` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `node_state` (
	`id` text PRIMARY KEY NOT NULL,
	`generation` integer NOT NULL,
	`key_id` text,
	`restored_at` integer
) STRICT;
--> statement-breakpoint
CREATE TABLE `remote_grants` (
	`auth_server` text NOT NULL,
	`wallet_address_id` text NOT NULL,
	`access` text NOT NULL,
	`token` text NOT NULL,
	`manage_url` text NOT NULL,
	`expires_at` integer,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`auth_server`, `wallet_address_id`, `access`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `remote_grants_age` ON `remote_grants` (`updated_at`);--> statement-breakpoint
PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_grants` (
	`id` text PRIMARY KEY NOT NULL,
	`state` text NOT NULL,
	`client_kind` text NOT NULL,
	`client_id` text NOT NULL,
	`client_jwk` text,
	`client_name` text,
	`requested` text NOT NULL,
	`granted` text,
	`subject` text,
	`wallet_address_id` text,
	`interactive` integer NOT NULL,
	`endpoint` text NOT NULL,
	`finish_uri` text,
	`finish_nonce` text,
	`server_nonce` text,
	`interaction_id` text,
	`interaction_nonce_hash` text,
	`continuation_id` text NOT NULL,
	`continuation_hash` text NOT NULL,
	`code` text,
	`wrong_codes` integer NOT NULL,
	`created_at` integer NOT NULL,
	`opened_at` integer,
	`decided_at` integer,
	`lapses_at` integer,
	`last_continued_at` integer,
	`expires_at` integer,
	`last_used_at` integer,
	CONSTRAINT "grants_state" CHECK("__new_grants"."state" in ('pending', 'approved', 'issued', 'denied', 'lapsed', 'revoked', 'frozen')),
	CONSTRAINT "grants_client_kind" CHECK("__new_grants"."client_kind" in ('wallet-address', 'jwk')),
	CONSTRAINT "grants_wrong_codes" CHECK("__new_grants"."wrong_codes" between 0 and 5)
) STRICT;
--> statement-breakpoint
INSERT INTO `__new_grants`("id", "state", "client_kind", "client_id", "client_jwk", "client_name", "requested", "granted", "subject", "wallet_address_id", "interactive", "endpoint", "finish_uri", "finish_nonce", "server_nonce", "interaction_id", "interaction_nonce_hash", "continuation_id", "continuation_hash", "code", "wrong_codes", "created_at", "opened_at", "decided_at", "lapses_at", "last_continued_at", "expires_at") SELECT "id", "state", "client_kind", "client_id", "client_jwk", "client_name", "requested", "granted", "subject", "wallet_address_id", "interactive", "endpoint", "finish_uri", "finish_nonce", "server_nonce", "interaction_id", "interaction_nonce_hash", "continuation_id", "continuation_hash", "code", "wrong_codes", "created_at", "opened_at", "decided_at", "lapses_at", "last_continued_at", "expires_at" FROM `grants`;--> statement-breakpoint
DROP TABLE `grants`;--> statement-breakpoint
ALTER TABLE `__new_grants` RENAME TO `grants`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE UNIQUE INDEX `grants_continuation` ON `grants` (`continuation_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `grants_interaction` ON `grants` (`interaction_id`) WHERE "grants"."interaction_id" is not null;--> statement-breakpoint
CREATE INDEX `grants_listed` ON `grants` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `grants_client` ON `grants` (`client_id`,`state`);--> statement-breakpoint
CREATE INDEX `grants_waiting` ON `grants` (`state`,`lapses_at`) WHERE "grants"."state" in ('pending', 'approved');--> statement-breakpoint
CREATE TABLE `__new_ledger_accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`asset_code` text NOT NULL,
	`asset_scale` integer NOT NULL,
	`balance` integer NOT NULL,
	`pending` integer NOT NULL,
	`overdraft` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	CONSTRAINT "ledger_accounts_kind" CHECK("__new_ledger_accounts"."kind" in ('customer', 'escrow', 'exchange', 'peer', 'external')),
	CONSTRAINT "ledger_accounts_pending" CHECK("__new_ledger_accounts"."pending" >= 0),
	CONSTRAINT "ledger_accounts_not_negative" CHECK("__new_ledger_accounts"."kind" in ('peer', 'external') or "__new_ledger_accounts"."balance" >= "__new_ledger_accounts"."pending"),
	CONSTRAINT "ledger_accounts_overdraft" CHECK("__new_ledger_accounts"."overdraft" >= 0)
) STRICT;
--> statement-breakpoint
INSERT INTO `__new_ledger_accounts`("id", "kind", "asset_code", "asset_scale", "balance", "pending", "created_at") SELECT "id", "kind", "asset_code", "asset_scale", "balance", "pending", "created_at" FROM `ledger_accounts`;--> statement-breakpoint
DROP TABLE `ledger_accounts`;--> statement-breakpoint
ALTER TABLE `__new_ledger_accounts` RENAME TO `ledger_accounts`;--> statement-breakpoint
CREATE INDEX `ledger_accounts_asset` ON `ledger_accounts` (`asset_code`,`asset_scale`);--> statement-breakpoint
CREATE TABLE `__new_outgoing_payments` (
	`id` text PRIMARY KEY NOT NULL,
	`wallet_address_id` text NOT NULL,
	`quote_id` text NOT NULL,
	`client` text,
	`grant_id` text,
	`spending_window` integer,
	`grant_spent_debit` text,
	`grant_spent_receive` text,
	`receiver` text NOT NULL,
	`receiver_id` text,
	`debit_amount` integer NOT NULL,
	`receive_amount` integer NOT NULL,
	`receive_asset_code` text NOT NULL,
	`receive_asset_scale` integer NOT NULL,
	`sent` integer NOT NULL,
	`delivered` integer NOT NULL,
	`held` integer DEFAULT 0 NOT NULL,
	`packets` integer NOT NULL,
	`state` text NOT NULL,
	`failure` text,
	`metadata` text,
	`search` text,
	`request_hash` text,
	`attempt` integer NOT NULL,
	`fruitless` integer NOT NULL,
	`due_at` integer NOT NULL,
	`deadline` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`wallet_address_id`) REFERENCES `wallet_addresses`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`quote_id`) REFERENCES `quotes`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "outgoing_payments_sent" CHECK("__new_outgoing_payments"."sent" >= 0 and "__new_outgoing_payments"."held" >= 0 and "__new_outgoing_payments"."sent" <= "__new_outgoing_payments"."debit_amount" - "__new_outgoing_payments"."held"),
	CONSTRAINT "outgoing_payments_delivered" CHECK("__new_outgoing_payments"."delivered" >= 0),
	CONSTRAINT "outgoing_payments_state" CHECK("__new_outgoing_payments"."state" in ('funded', 'sending', 'retrying', 'settling', 'unknown', 'completed', 'failed'))
) STRICT;
--> statement-breakpoint
INSERT INTO `__new_outgoing_payments`("id", "wallet_address_id", "quote_id", "client", "grant_id", "spending_window", "grant_spent_debit", "grant_spent_receive", "receiver", "receiver_id", "debit_amount", "receive_amount", "receive_asset_code", "receive_asset_scale", "sent", "delivered", "packets", "state", "failure", "metadata", "request_hash", "attempt", "fruitless", "due_at", "deadline", "created_at", "updated_at") SELECT "id", "wallet_address_id", "quote_id", "client", "grant_id", "spending_window", "grant_spent_debit", "grant_spent_receive", "receiver", "receiver_id", "debit_amount", "receive_amount", "receive_asset_code", "receive_asset_scale", "sent", "delivered", "packets", "state", "failure", "metadata", "request_hash", "attempt", "fruitless", "due_at", "deadline", "created_at", "updated_at" FROM `outgoing_payments`;--> statement-breakpoint
DROP TABLE `outgoing_payments`;--> statement-breakpoint
ALTER TABLE `__new_outgoing_payments` RENAME TO `outgoing_payments`;--> statement-breakpoint
CREATE UNIQUE INDEX `outgoing_payments_request` ON `outgoing_payments` (`request_hash`) WHERE "outgoing_payments"."request_hash" is not null;--> statement-breakpoint
CREATE INDEX `outgoing_payments_listed` ON `outgoing_payments` (`wallet_address_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `outgoing_payments_own` ON `outgoing_payments` (`wallet_address_id`,`client`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `outgoing_payments_created` ON `outgoing_payments` (`created_at`,`id`,`wallet_address_id`,`client`,`debit_amount`,`search`);--> statement-breakpoint
CREATE INDEX `outgoing_payments_state` ON `outgoing_payments` (`state`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `outgoing_payments_unsearched` ON `outgoing_payments` (`id`) WHERE "outgoing_payments"."search" is null;--> statement-breakpoint
CREATE INDEX `outgoing_payments_grant` ON `outgoing_payments` (`grant_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `outgoing_payments_failed` ON `outgoing_payments` (`updated_at`) WHERE "outgoing_payments"."state" = 'failed';--> statement-breakpoint
CREATE INDEX `outgoing_payments_remote` ON `outgoing_payments` (`receiver`,`updated_at`) WHERE "outgoing_payments"."receiver_id" is null;--> statement-breakpoint
CREATE INDEX `outgoing_payments_due` ON `outgoing_payments` (`due_at`,`id`) WHERE "outgoing_payments"."state" in ('funded', 'sending', 'retrying', 'settling');--> statement-breakpoint
DROP INDEX `incoming_payments_created`;--> statement-breakpoint
ALTER TABLE `incoming_payments` ADD `search` text;--> statement-breakpoint
CREATE INDEX `incoming_payments_state` ON `incoming_payments` (`completed`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `incoming_payments_unsearched` ON `incoming_payments` (`id`) WHERE "incoming_payments"."search" is null;--> statement-breakpoint
CREATE INDEX `incoming_payments_requested` ON `incoming_payments` (`created_at`,`id`) WHERE "incoming_payments"."client" is null and "incoming_payments"."completed" = 0;--> statement-breakpoint
CREATE INDEX `incoming_payments_created` ON `incoming_payments` (`created_at`,`id`,`wallet_address_id`,`client`,`incoming_amount`,`search`);--> statement-breakpoint
DROP INDEX `events_subject`;--> statement-breakpoint
CREATE INDEX `events_subject` ON `events` (`subject`,`position`,`type`);