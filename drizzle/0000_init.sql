CREATE TABLE `client_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`wallet_address_id` text NOT NULL,
	`kid` text NOT NULL,
	`jwk` text NOT NULL,
	`thumbprint` text NOT NULL,
	`label` text NOT NULL,
	`created_at` integer NOT NULL,
	`revoked_at` integer
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `client_keys_kid` ON `client_keys` (`wallet_address_id`,`kid`) WHERE "client_keys"."revoked_at" is null;--> statement-breakpoint
CREATE INDEX `client_keys_listed` ON `client_keys` (`wallet_address_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `access_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`grant_id` text NOT NULL,
	`token_hash` text NOT NULL,
	`state` text NOT NULL,
	`replaced_by` text,
	`awaits_rotation` integer NOT NULL,
	`sealed` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`grant_id`) REFERENCES `grants`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "access_tokens_state" CHECK("access_tokens"."state" in ('active', 'rotated', 'revoked'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `access_tokens_hash` ON `access_tokens` (`token_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `access_tokens_living` ON `access_tokens` (`grant_id`) WHERE "access_tokens"."state" = 'active';--> statement-breakpoint
CREATE INDEX `access_tokens_grant` ON `access_tokens` (`grant_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `grant_spendings` (
	`grant_id` text NOT NULL,
	`kind` text NOT NULL,
	`window_start` integer NOT NULL,
	`asset_code` text NOT NULL,
	`asset_scale` integer NOT NULL,
	`spent` text NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`grant_id`, `kind`, `window_start`, `asset_code`, `asset_scale`),
	FOREIGN KEY (`grant_id`) REFERENCES `grants`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "grant_spendings_kind" CHECK("grant_spendings"."kind" in ('debit', 'receive'))
) STRICT;
--> statement-breakpoint
CREATE TABLE `grants` (
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
	CONSTRAINT "grants_state" CHECK("grants"."state" in ('pending', 'approved', 'issued', 'denied', 'lapsed', 'revoked')),
	CONSTRAINT "grants_client_kind" CHECK("grants"."client_kind" in ('wallet-address', 'jwk')),
	CONSTRAINT "grants_wrong_codes" CHECK("grants"."wrong_codes" between 0 and 5)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `grants_continuation` ON `grants` (`continuation_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `grants_interaction` ON `grants` (`interaction_id`) WHERE "grants"."interaction_id" is not null;--> statement-breakpoint
CREATE INDEX `grants_listed` ON `grants` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `grants_waiting` ON `grants` (`state`,`lapses_at`) WHERE "grants"."state" in ('pending', 'approved');--> statement-breakpoint
CREATE TABLE `signature_nonces` (
	`thumbprint` text NOT NULL,
	`nonce` text NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`thumbprint`, `nonce`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `signature_nonces_expiry` ON `signature_nonces` (`expires_at`);--> statement-breakpoint
CREATE TABLE `ledger_accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`asset_code` text NOT NULL,
	`asset_scale` integer NOT NULL,
	`balance` integer NOT NULL,
	`pending` integer NOT NULL,
	`created_at` integer NOT NULL,
	CONSTRAINT "ledger_accounts_kind" CHECK("ledger_accounts"."kind" in ('customer', 'escrow', 'exchange', 'external')),
	CONSTRAINT "ledger_accounts_pending" CHECK("ledger_accounts"."pending" >= 0),
	CONSTRAINT "ledger_accounts_not_negative" CHECK("ledger_accounts"."kind" = 'external' or "ledger_accounts"."balance" >= "ledger_accounts"."pending")
) STRICT;
--> statement-breakpoint
CREATE INDEX `ledger_accounts_asset` ON `ledger_accounts` (`asset_code`,`asset_scale`);--> statement-breakpoint
CREATE TABLE `ledger_transfers` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`state` text NOT NULL,
	`debit_account_id` text NOT NULL,
	`credit_account_id` text NOT NULL,
	`amount` integer NOT NULL,
	`payment_id` text,
	`note` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`debit_account_id`) REFERENCES `ledger_accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`credit_account_id`) REFERENCES `ledger_accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "ledger_transfers_amount" CHECK("ledger_transfers"."amount" > 0),
	CONSTRAINT "ledger_transfers_accounts" CHECK("ledger_transfers"."debit_account_id" <> "ledger_transfers"."credit_account_id"),
	CONSTRAINT "ledger_transfers_state" CHECK("ledger_transfers"."state" in ('posted', 'pending', 'voided'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `ledger_transfers_debit` ON `ledger_transfers` (`debit_account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `ledger_transfers_credit` ON `ledger_transfers` (`credit_account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `ledger_transfers_payment` ON `ledger_transfers` (`payment_id`);--> statement-breakpoint
CREATE TABLE `operator_links` (
	`secret_hash` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `operator_sessions` (
	`secret_hash` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `operator_sessions_id_unique` ON `operator_sessions` (`id`);--> statement-breakpoint
CREATE TABLE `operator_token` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `incoming_payments` (
	`id` text PRIMARY KEY NOT NULL,
	`wallet_address_id` text NOT NULL,
	`client` text,
	`incoming_amount` text,
	`received` integer NOT NULL,
	`completed` integer NOT NULL,
	`expires_at` integer,
	`metadata` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`wallet_address_id`) REFERENCES `wallet_addresses`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "incoming_payments_received" CHECK("incoming_payments"."received" >= 0)
) STRICT;
--> statement-breakpoint
CREATE INDEX `incoming_payments_listed` ON `incoming_payments` (`wallet_address_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `incoming_payments_own` ON `incoming_payments` (`wallet_address_id`,`client`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `incoming_payments_created` ON `incoming_payments` (`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `outgoing_payments` (
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
	`packets` integer NOT NULL,
	`state` text NOT NULL,
	`failure` text,
	`metadata` text,
	`request_hash` text,
	`attempt` integer NOT NULL,
	`fruitless` integer NOT NULL,
	`due_at` integer NOT NULL,
	`deadline` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`wallet_address_id`) REFERENCES `wallet_addresses`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`quote_id`) REFERENCES `quotes`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "outgoing_payments_sent" CHECK("outgoing_payments"."sent" >= 0 and "outgoing_payments"."sent" <= "outgoing_payments"."debit_amount"),
	CONSTRAINT "outgoing_payments_delivered" CHECK("outgoing_payments"."delivered" >= 0),
	CONSTRAINT "outgoing_payments_state" CHECK("outgoing_payments"."state" in ('funded', 'sending', 'retrying', 'completed', 'failed'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `outgoing_payments_request` ON `outgoing_payments` (`request_hash`) WHERE "outgoing_payments"."request_hash" is not null;--> statement-breakpoint
CREATE INDEX `outgoing_payments_listed` ON `outgoing_payments` (`wallet_address_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `outgoing_payments_own` ON `outgoing_payments` (`wallet_address_id`,`client`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `outgoing_payments_created` ON `outgoing_payments` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `outgoing_payments_grant` ON `outgoing_payments` (`grant_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `outgoing_payments_due` ON `outgoing_payments` (`due_at`,`id`) WHERE "outgoing_payments"."state" in ('funded', 'sending', 'retrying');--> statement-breakpoint
CREATE TABLE `packets` (
	`condition` text PRIMARY KEY NOT NULL,
	`outgoing_payment_id` text NOT NULL,
	`incoming_payment_id` text NOT NULL,
	`amount` integer NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `quotes` (
	`id` text PRIMARY KEY NOT NULL,
	`wallet_address_id` text NOT NULL,
	`client` text,
	`receiver` text NOT NULL,
	`receiver_id` text,
	`debit_amount` integer NOT NULL,
	`receive_amount` integer NOT NULL,
	`receive_asset_code` text NOT NULL,
	`receive_asset_scale` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`outgoing_payment_id` text,
	FOREIGN KEY (`wallet_address_id`) REFERENCES `wallet_addresses`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`receiver_id`) REFERENCES `incoming_payments`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "quotes_amounts" CHECK("quotes"."debit_amount" > 0 and "quotes"."receive_amount" > 0)
) STRICT;
--> statement-breakpoint
CREATE TABLE `wallet_addresses` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`public_name` text NOT NULL,
	`asset_code` text NOT NULL,
	`asset_scale` integer NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `wallet_addresses_name_unique` ON `wallet_addresses` (`name`);--> statement-breakpoint
CREATE TABLE `events` (
	`position` integer PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`subject` text NOT NULL,
	`wallet_address_id` text,
	`body` text NOT NULL,
	`at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `events_subject` ON `events` (`subject`,`position`);--> statement-breakpoint
CREATE TABLE `origins` (
	`origin` text PRIMARY KEY NOT NULL,
	`since` integer NOT NULL
) STRICT;
