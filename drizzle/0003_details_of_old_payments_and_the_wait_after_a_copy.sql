CREATE TABLE `closing_accounts` (
	`closing` integer NOT NULL,
	`piece` integer NOT NULL,
	`accounts` text NOT NULL,
	PRIMARY KEY(`closing`, `piece`),
	FOREIGN KEY (`closing`) REFERENCES `day_closings`(`number`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `closing_balances` (
	`account_id` text PRIMARY KEY NOT NULL,
	`balance` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `day_closings` (
	`number` integer PRIMARY KEY NOT NULL,
	`request_id` text NOT NULL,
	`at` integer NOT NULL,
	`day` text NOT NULL,
	`time_zone` text NOT NULL,
	`day_ends_at` integer NOT NULL,
	`boundary` integer NOT NULL,
	`event_boundary` integer NOT NULL,
	`by_name` text,
	`by_role` text,
	`figures` text NOT NULL,
	`hash` text NOT NULL,
	CONSTRAINT "day_closings_number" CHECK("day_closings"."number" > 0)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `day_closings_request_id_unique` ON `day_closings` (`request_id`);--> statement-breakpoint
CREATE TABLE `exchange_fees` (
	`base` text NOT NULL,
	`quote` text NOT NULL,
	`fixed` text NOT NULL,
	`minimum` text NOT NULL,
	`share_bps` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`base`, `quote`),
	CONSTRAINT "exchange_fees_pair" CHECK("exchange_fees"."base" <> "exchange_fees"."quote"),
	CONSTRAINT "exchange_fees_share" CHECK("exchange_fees"."share_bps" between 0 and 9999)
) STRICT;
--> statement-breakpoint
CREATE TABLE `followed_rates` (
	`base` text NOT NULL,
	`quote` text NOT NULL,
	`spread_bps` integer NOT NULL,
	`max_jump_bps` integer NOT NULL,
	`max_age_seconds` integer NOT NULL,
	`falls_back` integer NOT NULL,
	`rate` text,
	`source` text,
	`as_of` integer,
	`believed_at` integer,
	`refused` text,
	`refused_source` text,
	`refused_as_of` integer,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`base`, `quote`),
	CONSTRAINT "followed_rates_pair" CHECK("followed_rates"."base" <> "followed_rates"."quote"),
	CONSTRAINT "followed_rates_spread" CHECK("followed_rates"."spread_bps" between 0 and 9999),
	CONSTRAINT "followed_rates_jump" CHECK("followed_rates"."max_jump_bps" > 0),
	CONSTRAINT "followed_rates_age" CHECK("followed_rates"."max_age_seconds" > 0),
	CONSTRAINT "followed_rates_believed" CHECK("followed_rates"."rate" is null or ("followed_rates"."as_of" is not null and "followed_rates"."believed_at" is not null)),
	CONSTRAINT "followed_rates_refused" CHECK("followed_rates"."refused" is null or ("followed_rates"."refused_source" is not null and "followed_rates"."refused_as_of" is not null))
) STRICT;
--> statement-breakpoint
CREATE TABLE `past_rates` (
	`base` text NOT NULL,
	`quote` text NOT NULL,
	`since` integer NOT NULL,
	`until` integer NOT NULL,
	`rate` text NOT NULL,
	PRIMARY KEY(`base`, `quote`, `since`),
	CONSTRAINT "past_rates_span" CHECK("past_rates"."until" >= "past_rates"."since")
) STRICT;
--> statement-breakpoint
CREATE TABLE `rate_sources` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`url` text NOT NULL,
	`base` text,
	`quote` text,
	`path` text,
	`date_path` text,
	`every_seconds` integer NOT NULL,
	`is_on` integer NOT NULL,
	`place` integer NOT NULL,
	`said` text,
	`looked_at` integer,
	`problem` text,
	`failures` integer NOT NULL,
	`created_at` integer NOT NULL,
	CONSTRAINT "rate_sources_kind" CHECK("rate_sources"."kind" in ('ecb', 'json')),
	CONSTRAINT "rate_sources_json" CHECK("rate_sources"."kind" = 'ecb' or ("rate_sources"."base" <> "rate_sources"."quote" and "rate_sources"."path" is not null)),
	CONSTRAINT "rate_sources_every" CHECK("rate_sources"."every_seconds" > 0)
) STRICT;
--> statement-breakpoint
CREATE TABLE `second_person_limits` (
	`what` text NOT NULL,
	`asset_code` text NOT NULL,
	`asset_scale` integer NOT NULL,
	`above` integer NOT NULL,
	PRIMARY KEY(`what`, `asset_code`, `asset_scale`),
	CONSTRAINT "second_person_above" CHECK("second_person_limits"."above" >= 0)
) STRICT;
--> statement-breakpoint
CREATE TABLE `waiting_acts` (
	`id` text PRIMARY KEY NOT NULL,
	`operation` text NOT NULL,
	`subject` text,
	`input` text NOT NULL,
	`shown` text NOT NULL,
	`hash` text NOT NULL,
	`state` text NOT NULL,
	`by_kind` text NOT NULL,
	`by_id` text NOT NULL,
	`by_name` text NOT NULL,
	`by_role` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`decided_by_id` text,
	`decided_at` integer,
	CONSTRAINT "waiting_acts_state" CHECK("waiting_acts"."state" in ('waiting', 'confirmed', 'refused', 'withdrawn', 'lapsed'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `waiting_acts_state` ON `waiting_acts` (`state`,`created_at`);--> statement-breakpoint
CREATE INDEX `waiting_acts_created` ON `waiting_acts` (`created_at`);--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`role` text NOT NULL,
	`groups` text,
	`accounts` text,
	`key_hash` text NOT NULL,
	`former_hash` text,
	`former_ends_at` integer,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`last_used_at` integer,
	`is_paused` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_key_hash_unique` ON `api_keys` (`key_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_former_hash_unique` ON `api_keys` (`former_hash`);--> statement-breakpoint
CREATE TABLE `browser_people` (
	`browser_id` text NOT NULL,
	`person_id` text NOT NULL,
	`wrong_pins` integer NOT NULL,
	`signed_in_at` integer NOT NULL,
	`last_used_at` integer NOT NULL,
	PRIMARY KEY(`browser_id`, `person_id`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `known_browsers` (
	`id` text PRIMARY KEY NOT NULL,
	`secret_hash` text NOT NULL,
	`page_hash` text NOT NULL,
	`site` text NOT NULL,
	`user_agent` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `known_browsers_secret_hash_unique` ON `known_browsers` (`secret_hash`);--> statement-breakpoint
CREATE TABLE `passkeys` (
	`id` text PRIMARY KEY NOT NULL,
	`person_id` text NOT NULL,
	`name` text NOT NULL,
	`rp_id` text NOT NULL,
	`credential_id` text NOT NULL,
	`public_key` text NOT NULL,
	`counter` integer NOT NULL,
	`transports` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	`is_paused` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `passkeys_credential_id_unique` ON `passkeys` (`credential_id`);--> statement-breakpoint
CREATE TABLE `passwords` (
	`person_id` text PRIMARY KEY NOT NULL,
	`sign_in_name` text NOT NULL,
	`hash` text NOT NULL,
	`salt` text NOT NULL,
	`cost_n` integer NOT NULL,
	`cost_r` integer NOT NULL,
	`cost_p` integer NOT NULL,
	`totp_secret` text NOT NULL,
	`totp_step` integer NOT NULL,
	`created_at` integer NOT NULL,
	`is_paused` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `passwords_sign_in_name_unique` ON `passwords` (`sign_in_name`);--> statement-breakpoint
CREATE TABLE `people` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`role` text NOT NULL,
	`state` text NOT NULL,
	`created_at` integer NOT NULL,
	`removed_at` integer
) STRICT;
--> statement-breakpoint
CREATE TABLE `pin_tries` (
	`person_id` text PRIMARY KEY NOT NULL,
	`wrong` integer NOT NULL,
	`since` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `pins` (
	`person_id` text PRIMARY KEY NOT NULL,
	`sealed_hash` text NOT NULL,
	`salt` text NOT NULL,
	`cost_n` integer NOT NULL,
	`cost_r` integer NOT NULL,
	`cost_p` integer NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `recovery_codes` (
	`code_hash` text PRIMARY KEY NOT NULL,
	`person_id` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `sign_in_attempts` (
	`counted` text PRIMARY KEY NOT NULL,
	`wrong_in_a_row` integer NOT NULL,
	`last_attempt_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `sign_in_challenges` (
	`challenge_hash` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`site` text NOT NULL,
	`session_id` text,
	`secret` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `tills` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`account_id` text,
	`state` text NOT NULL,
	`pairing_hash` text,
	`pairing_ends_at` integer,
	`secret_hash` text,
	`page_hash` text,
	`user_agent` text NOT NULL,
	`made_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	`removed_at` integer,
	CONSTRAINT "tills_state" CHECK("tills"."state" in ('active', 'paused', 'removed'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `tills_pairing_hash_unique` ON `tills` (`pairing_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `tills_secret_hash_unique` ON `tills` (`secret_hash`);--> statement-breakpoint
CREATE TABLE `archived_packets` (
	`outgoing_payment_id` text PRIMARY KEY NOT NULL,
	`delivered` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `bill_lines` (
	`bill_id` text NOT NULL,
	`place` integer NOT NULL,
	`text` text NOT NULL,
	`quantity` integer NOT NULL,
	`unit_price` integer NOT NULL,
	`tax_name` text,
	`tax_rate` integer,
	`amount` integer NOT NULL,
	`net` integer NOT NULL,
	`tax_amount` integer NOT NULL,
	PRIMARY KEY(`bill_id`, `place`),
	FOREIGN KEY (`bill_id`) REFERENCES `bills`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "bill_lines_amounts" CHECK("bill_lines"."unit_price" >= 0 and "bill_lines"."net" >= 0 and "bill_lines"."tax_amount" >= 0),
	CONSTRAINT "bill_lines_tax" CHECK(("bill_lines"."tax_name" is null) = ("bill_lines"."tax_rate" is null))
) STRICT;
--> statement-breakpoint
CREATE TABLE `bills` (
	`id` text PRIMARY KEY NOT NULL,
	`prices_include_tax` integer NOT NULL,
	`rounding` text NOT NULL,
	`net` integer NOT NULL,
	`tax_amount` integer NOT NULL,
	`tip` integer NOT NULL,
	FOREIGN KEY (`id`) REFERENCES `incoming_payments`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "bills_amounts" CHECK("bills"."net" >= 0 and "bills"."tax_amount" >= 0 and "bills"."tip" >= 0),
	CONSTRAINT "bills_rounding" CHECK("bills"."rounding" in ('line', 'total'))
) STRICT;
--> statement-breakpoint
CREATE TABLE `claim_tries` (
	`id` text PRIMARY KEY NOT NULL,
	`claim_id` text NOT NULL,
	`state` text NOT NULL,
	`payer` text NOT NULL,
	`finding` text,
	`said` integer,
	`visitor_hash` text NOT NULL,
	`sealed` text,
	`tries` integer NOT NULL,
	`due_at` integer,
	`holder` text,
	`created_at` integer NOT NULL,
	`lapses_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`claim_id`) REFERENCES `claims`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "claim_tries_state" CHECK("claim_tries"."state" in ('asking', 'approving', 'returned', 'listing', 'deciding', 'refunded', 'refused', 'ended'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `claim_tries_claim` ON `claim_tries` (`claim_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `claim_tries_lapsing` ON `claim_tries` (`lapses_at`) WHERE "claim_tries"."state" in ('asking', 'approving', 'returned', 'listing');--> statement-breakpoint
CREATE INDEX `claim_tries_deciding` ON `claim_tries` (`updated_at`) WHERE "claim_tries"."state" = 'deciding';--> statement-breakpoint
CREATE TABLE `claims` (
	`id` text PRIMARY KEY NOT NULL,
	`incoming_payment_id` text NOT NULL,
	`amount` integer NOT NULL,
	`reason` text,
	`by_id` text NOT NULL,
	`by_role` text NOT NULL,
	`shop_day` text NOT NULL,
	`link_hash` text NOT NULL,
	`state` text NOT NULL,
	`refusals` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`incoming_payment_id`) REFERENCES `incoming_payments`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "claims_amount" CHECK("claims"."amount" > 0),
	CONSTRAINT "claims_state" CHECK("claims"."state" in ('open', 'deciding', 'refunded', 'cancelled', 'expired', 'refused', 'doubted'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `claims_payment` ON `claims` (`incoming_payment_id`,`created_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `claims_link` ON `claims` (`link_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `claims_one` ON `claims` (`incoming_payment_id`) WHERE "claims"."state" in ('open', 'deciding');--> statement-breakpoint
CREATE INDEX `claims_made` ON `claims` (`by_id`,`shop_day`) WHERE "claims"."state" in ('open', 'deciding', 'doubted');--> statement-breakpoint
CREATE INDEX `claims_ending` ON `claims` (`expires_at`) WHERE "claims"."state" in ('open', 'deciding');--> statement-breakpoint
CREATE TABLE `payers` (
	`incoming_payment_id` text NOT NULL,
	`wallet_address` text NOT NULL,
	`amount` integer NOT NULL,
	`paid_value` integer,
	`paid_asset_code` text,
	`paid_asset_scale` integer,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`incoming_payment_id`, `wallet_address`),
	FOREIGN KEY (`incoming_payment_id`) REFERENCES `incoming_payments`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payers_amount" CHECK("payers"."amount" > 0)
) STRICT;
--> statement-breakpoint
CREATE TABLE `refund_limits` (
	`role` text NOT NULL,
	`asset_code` text NOT NULL,
	`asset_scale` integer NOT NULL,
	`per_payment` integer NOT NULL,
	`per_day` integer NOT NULL,
	PRIMARY KEY(`role`, `asset_code`, `asset_scale`),
	CONSTRAINT "refund_limits_amounts" CHECK("refund_limits"."per_payment" > 0 and "refund_limits"."per_day" > 0)
) STRICT;
--> statement-breakpoint
CREATE TABLE `refunds` (
	`id` text PRIMARY KEY NOT NULL,
	`incoming_payment_id` text NOT NULL,
	`payer` text NOT NULL,
	`amount` integer NOT NULL,
	`receive` integer,
	`receive_asset_code` text,
	`receive_asset_scale` integer,
	`quote_id` text,
	`reason` text,
	`by_id` text,
	`by_role` text,
	`shop_day` text,
	`state` text NOT NULL,
	`failure` text,
	`outgoing_payment_id` text,
	`claimed` text,
	`bound_to` text,
	`tries` integer NOT NULL,
	`due_at` integer NOT NULL,
	`holder` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`incoming_payment_id`) REFERENCES `incoming_payments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`outgoing_payment_id`) REFERENCES `outgoing_payments`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "refunds_amount" CHECK("refunds"."amount" > 0),
	CONSTRAINT "refunds_receive" CHECK("refunds"."receive" is null or "refunds"."receive" > 0),
	CONSTRAINT "refunds_state" CHECK("refunds"."state" in ('pending', 'funded', 'failed', 'doubted')),
	CONSTRAINT "refunds_claimed" CHECK("refunds"."claimed" is null or "refunds"."claimed" in ('wallet', 'operator')),
	CONSTRAINT "refunds_funded" CHECK(("refunds"."state" = 'funded') = ("refunds"."outgoing_payment_id" is not null))
) STRICT;
--> statement-breakpoint
CREATE INDEX `refunds_payment` ON `refunds` (`incoming_payment_id`,`created_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `refunds_outgoing` ON `refunds` (`outgoing_payment_id`) WHERE "refunds"."outgoing_payment_id" is not null;--> statement-breakpoint
CREATE INDEX `refunds_asked` ON `refunds` (`by_id`,`shop_day`);--> statement-breakpoint
CREATE INDEX `refunds_due` ON `refunds` (`due_at`,`id`) WHERE "refunds"."state" = 'pending';--> statement-breakpoint
CREATE TABLE `payment_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`made_at` text NOT NULL,
	`note` text,
	`reference` text,
	`cancel_reason` text,
	`due_at` integer,
	`return_url` text,
	`till_id` text,
	`till_name` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`id`) REFERENCES `incoming_payments`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payment_requests_made_at" CHECK("payment_requests"."made_at" in ('desk', 'till'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `payment_requests_made` ON `payment_requests` (`made_at`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `payment_requests_till` ON `payment_requests` (`till_id`,`created_at`,`id`) WHERE "payment_requests"."till_id" is not null;--> statement-breakpoint
CREATE TABLE `peer_acceptances` (
	`id` text PRIMARY KEY NOT NULL,
	`secret_hash` text NOT NULL,
	`secret` text NOT NULL,
	`nonce_hash` text NOT NULL,
	`origin` text NOT NULL,
	`name` text NOT NULL,
	`introduction` text NOT NULL,
	`asset_code` text NOT NULL,
	`asset_scale` integer NOT NULL,
	`credit_limit` integer NOT NULL,
	`debt_limit` integer NOT NULL,
	`ilp_address` text,
	`outgoing_token` text,
	`state` text NOT NULL,
	`problem` text,
	`created_at` integer NOT NULL,
	CONSTRAINT "peer_acceptances_state" CHECK("peer_acceptances"."state" in ('under_way', 'done', 'failed'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `peer_acceptances_secret` ON `peer_acceptances` (`secret_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `peer_acceptances_nonce` ON `peer_acceptances` (`nonce_hash`);--> statement-breakpoint
CREATE INDEX `peer_acceptances_begun` ON `peer_acceptances` (`created_at`);--> statement-breakpoint
CREATE TABLE `peer_invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`secret_hash` text NOT NULL,
	`asset_code` text NOT NULL,
	`asset_scale` integer NOT NULL,
	`credit_limit` integer NOT NULL,
	`introduction` text NOT NULL,
	`state` text NOT NULL,
	`acceptance_hash` text,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	CONSTRAINT "peer_invitations_state" CHECK("peer_invitations"."state" in ('open', 'used', 'cancelled')),
	CONSTRAINT "peer_invitations_used" CHECK(("peer_invitations"."state" = 'used') = ("peer_invitations"."acceptance_hash" is not null))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `peer_invitations_secret` ON `peer_invitations` (`secret_hash`);--> statement-breakpoint
CREATE INDEX `peer_invitations_ends` ON `peer_invitations` (`expires_at`);--> statement-breakpoint
CREATE TABLE `peer_conversions` (
	`peer_id` text NOT NULL,
	`incoming_payment_id` text NOT NULL,
	`rate` text NOT NULL,
	`source` integer NOT NULL,
	`arrived` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`peer_id`, `incoming_payment_id`),
	FOREIGN KEY (`peer_id`) REFERENCES `peers`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "peer_conversions_sums" CHECK("peer_conversions"."source" > 0 and "peer_conversions"."arrived" >= 0)
) STRICT;
--> statement-breakpoint
CREATE INDEX `peer_conversions_updated` ON `peer_conversions` (`updated_at`);--> statement-breakpoint
CREATE TABLE `peer_renewals` (
	`peer_id` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`state` text NOT NULL,
	`own_token` text NOT NULL,
	`own_token_hash` text NOT NULL,
	`their_token` text,
	`former_token_hash` text,
	`former_ends_at` integer,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`peer_id`) REFERENCES `peers`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "peer_renewals_state" CHECK("peer_renewals"."state" in ('proposed', 'agreed', 'answered', 'done')),
	CONSTRAINT "peer_renewals_former" CHECK(("peer_renewals"."former_token_hash" is null) = ("peer_renewals"."former_ends_at" is null))
) STRICT;
--> statement-breakpoint
CREATE INDEX `peer_renewals_open` ON `peer_renewals` (`updated_at`) WHERE "peer_renewals"."state" in ('proposed', 'agreed');--> statement-breakpoint
CREATE TABLE `archive_files` (
	`id` text PRIMARY KEY NOT NULL,
	`month` text NOT NULL,
	`key` text NOT NULL,
	`bytes` integer NOT NULL,
	`hash` text NOT NULL,
	`rows` integer NOT NULL,
	`closed` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `archive_files_month` ON `archive_files` (`month`,`id`);--> statement-breakpoint
CREATE TABLE `archive_frames` (
	`file` text NOT NULL,
	`at` integer NOT NULL,
	`frame` text NOT NULL,
	PRIMARY KEY(`file`, `at`),
	FOREIGN KEY (`file`) REFERENCES `archive_files`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `replicas` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`version` text NOT NULL,
	`host` text NOT NULL,
	`url` text NOT NULL,
	`configuration` text NOT NULL,
	`started_at` integer NOT NULL,
	`seen_at` integer NOT NULL,
	`leaving` integer NOT NULL,
	`report` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `node_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`sealed` text NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `print_jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`number` text NOT NULL,
	`state` text NOT NULL,
	`is_copy` integer,
	`made_at` integer NOT NULL,
	`ended_at` integer,
	`claims` integer NOT NULL,
	`claimed_until` integer,
	`holder` text,
	CONSTRAINT "print_jobs_kind" CHECK("print_jobs"."kind" in ('sale', 'refund', 'test')),
	CONSTRAINT "print_jobs_ended" CHECK(("print_jobs"."state" in ('waiting', 'printing')) = ("print_jobs"."ended_at" is null))
) STRICT;
--> statement-breakpoint
CREATE INDEX `print_jobs_under_way` ON `print_jobs` (`made_at`,`id`) WHERE "print_jobs"."ended_at" is null;--> statement-breakpoint
CREATE INDEX `print_jobs_ended` ON `print_jobs` (`ended_at`,`id`) WHERE "print_jobs"."ended_at" is not null;--> statement-breakpoint
CREATE INDEX `print_jobs_subject` ON `print_jobs` (`kind`,`subject`,`made_at`,`id`);--> statement-breakpoint
CREATE TABLE `receipt_printer` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`host` text NOT NULL,
	`port` integer NOT NULL,
	`paper` text NOT NULL,
	`language` text NOT NULL,
	`prints_since` integer,
	`tries` integer NOT NULL,
	`next_try_at` integer,
	`unanswered_since` integer,
	`problem` text
) STRICT;
--> statement-breakpoint
CREATE TABLE `receipt_branch` (
	`id` text PRIMARY KEY NOT NULL,
	`branch` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `receipts` (
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`year` integer NOT NULL,
	`branch` integer NOT NULL,
	`number` integer NOT NULL,
	`jws` text NOT NULL,
	`link_hash` text NOT NULL,
	`payers` text NOT NULL,
	`printed` integer NOT NULL,
	`issued_at` integer NOT NULL,
	PRIMARY KEY(`kind`, `subject`),
	CONSTRAINT "receipts_kind" CHECK("receipts"."kind" in ('sale', 'refund')),
	CONSTRAINT "receipts_place" CHECK("receipts"."number" > 0 and "receipts"."branch" >= 0 and "receipts"."printed" >= 0)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `receipts_number` ON `receipts` (`kind`,`year`,`branch`,`number`);--> statement-breakpoint
CREATE UNIQUE INDEX `receipts_link` ON `receipts` (`link_hash`);--> statement-breakpoint
CREATE TABLE `products` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`price` integer NOT NULL,
	`asset_code` text NOT NULL,
	`asset_scale` integer NOT NULL,
	`tax_rate_id` text,
	`code` text,
	`colour` text,
	`sales` integer NOT NULL,
	`created_at` integer NOT NULL,
	CONSTRAINT "products_price" CHECK("products"."price" > 0)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `products_code` ON `products` (`code`);--> statement-breakpoint
CREATE INDEX `products_name` ON `products` (`name_key`,`id`);--> statement-breakpoint
CREATE INDEX `products_sales` ON `products` (`asset_code`,`asset_scale`,`sales`,`id`);--> statement-breakpoint
CREATE TABLE `shop_logo` (
	`id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`type` text NOT NULL,
	`data` text NOT NULL,
	`dots` text
) STRICT;
--> statement-breakpoint
PRAGMA foreign_keys=OFF;--> statement-breakpoint
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
	`bound_to` text,
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
	`holder` text,
	`fruitless` integer NOT NULL,
	`due_at` integer NOT NULL,
	`deadline` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`wallet_address_id`) REFERENCES `wallet_addresses`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "outgoing_payments_sent" CHECK("__new_outgoing_payments"."sent" >= 0 and "__new_outgoing_payments"."held" >= 0 and "__new_outgoing_payments"."sent" <= "__new_outgoing_payments"."debit_amount" - "__new_outgoing_payments"."held"),
	CONSTRAINT "outgoing_payments_delivered" CHECK("__new_outgoing_payments"."delivered" >= 0),
	CONSTRAINT "outgoing_payments_state" CHECK("__new_outgoing_payments"."state" in ('funded', 'sending', 'retrying', 'settling', 'unknown', 'completed', 'failed'))
) STRICT;
--> statement-breakpoint
INSERT INTO `__new_outgoing_payments`("id", "wallet_address_id", "quote_id", "client", "grant_id", "spending_window", "grant_spent_debit", "grant_spent_receive", "receiver", "receiver_id", "debit_amount", "receive_amount", "receive_asset_code", "receive_asset_scale", "sent", "delivered", "held", "packets", "state", "failure", "metadata", "search", "request_hash", "attempt", "fruitless", "due_at", "deadline", "created_at", "updated_at") SELECT "id", "wallet_address_id", "quote_id", "client", "grant_id", "spending_window", "grant_spent_debit", "grant_spent_receive", "receiver", "receiver_id", "debit_amount", "receive_amount", "receive_asset_code", "receive_asset_scale", "sent", "delivered", "held", "packets", "state", "failure", "metadata", "search", "request_hash", "attempt", "fruitless", "due_at", "deadline", "created_at", "updated_at" FROM `outgoing_payments`;--> statement-breakpoint
DROP TABLE `outgoing_payments`;--> statement-breakpoint
ALTER TABLE `__new_outgoing_payments` RENAME TO `outgoing_payments`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE UNIQUE INDEX `outgoing_payments_request` ON `outgoing_payments` (`request_hash`) WHERE "outgoing_payments"."request_hash" is not null;--> statement-breakpoint
CREATE INDEX `outgoing_payments_listed` ON `outgoing_payments` (`wallet_address_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `outgoing_payments_own` ON `outgoing_payments` (`wallet_address_id`,`client`,`created_at`) WHERE "outgoing_payments"."client" is not null;--> statement-breakpoint
CREATE INDEX `outgoing_payments_created` ON `outgoing_payments` (`created_at`,`id`,`wallet_address_id`,`client`,`debit_amount`,`search`);--> statement-breakpoint
CREATE INDEX `outgoing_payments_state` ON `outgoing_payments` (`state`,`created_at`,`id`) WHERE "outgoing_payments"."state" <> 'completed';--> statement-breakpoint
CREATE INDEX `outgoing_payments_unsearched` ON `outgoing_payments` (`id`) WHERE "outgoing_payments"."search" is null;--> statement-breakpoint
CREATE INDEX `outgoing_payments_receiver` ON `outgoing_payments` (`receiver_id`) WHERE "outgoing_payments"."receiver_id" is not null;--> statement-breakpoint
CREATE INDEX `outgoing_payments_grant` ON `outgoing_payments` (`grant_id`,`created_at`) WHERE "outgoing_payments"."grant_id" is not null;--> statement-breakpoint
CREATE INDEX `outgoing_payments_failed` ON `outgoing_payments` (`updated_at`) WHERE "outgoing_payments"."state" = 'failed';--> statement-breakpoint
CREATE INDEX `outgoing_payments_remote` ON `outgoing_payments` (`receiver`,`updated_at`) WHERE "outgoing_payments"."receiver_id" is null;--> statement-breakpoint
CREATE INDEX `outgoing_payments_due` ON `outgoing_payments` (`due_at`,`id`) WHERE "outgoing_payments"."state" in ('funded', 'sending', 'retrying', 'settling');--> statement-breakpoint
DROP INDEX `grants_frozen`;--> statement-breakpoint
CREATE INDEX `grants_frozen` ON `grants` (`created_at`,`id`) WHERE "grants"."state" = 'frozen' and "grants"."interactive" = 1;--> statement-breakpoint
DROP INDEX `events_subject`;--> statement-breakpoint
CREATE INDEX `events_subject` ON `events` (`subject`,`type`,`position`);--> statement-breakpoint
DROP INDEX `incoming_payments_own`;--> statement-breakpoint
DROP INDEX `incoming_payments_requested`;--> statement-breakpoint
CREATE INDEX `incoming_payments_own` ON `incoming_payments` (`wallet_address_id`,`client`,`created_at`) WHERE "incoming_payments"."client" is not null;--> statement-breakpoint
CREATE INDEX `incoming_payments_requested` ON `incoming_payments` (`completed`,`created_at`,`id`) WHERE "incoming_payments"."client" is null and "incoming_payments"."completed" = 0;--> statement-breakpoint
DROP INDEX `received_packets_payment`;--> statement-breakpoint
CREATE INDEX `received_packets_payment` ON `received_packets` (`incoming_payment_id`,`created_at`) WHERE "received_packets"."incoming_payment_id" is not null;--> statement-breakpoint
ALTER TABLE `checkouts` ADD `received_before` integer;--> statement-breakpoint
ALTER TABLE `checkouts` ADD `claims` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `checkouts` ADD `claimed_until` integer;--> statement-breakpoint
ALTER TABLE `checkouts` ADD `holder` text;--> statement-breakpoint
ALTER TABLE `activities` ADD `by_kind` text;--> statement-breakpoint
ALTER TABLE `activities` ADD `by_id` text;--> statement-breakpoint
ALTER TABLE `activities` ADD `by_name` text;--> statement-breakpoint
ALTER TABLE `activities` ADD `by_role` text;--> statement-breakpoint
CREATE INDEX `activities_subject` ON `activities` (`subject`);--> statement-breakpoint
ALTER TABLE `operator_links` ADD `person_id` text;--> statement-breakpoint
ALTER TABLE `operator_sessions` ADD `person_id` text DEFAULT 'owner' NOT NULL;--> statement-breakpoint
ALTER TABLE `operator_sessions` ADD `site` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `operator_sessions` ADD `is_limited` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `operator_sessions` ADD `browser_id` text;--> statement-breakpoint
ALTER TABLE `operator_sessions` ADD `by_pin` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `shop_settings` ADD `till_minutes` integer;--> statement-breakpoint
ALTER TABLE `shop_settings` ADD `tip_percents` text;--> statement-breakpoint
ALTER TABLE `shop_settings` ADD `profile` text;--> statement-breakpoint
ALTER TABLE `shop_settings` ADD `datev` text;--> statement-breakpoint
ALTER TABLE `peers` ADD `last_brought_at` integer;--> statement-breakpoint
CREATE INDEX `peers_brought` ON `peers` (`last_brought_at`) WHERE "peers"."last_brought_at" is not null;--> statement-breakpoint
ALTER TABLE `node_state` ADD `is_quiet` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `remote_grants` ADD `claimed_until` integer;--> statement-breakpoint
ALTER TABLE `remote_grants` ADD `holder` text;--> statement-breakpoint
CREATE INDEX `packets_made` ON `packets` (`created_at`,`condition`);