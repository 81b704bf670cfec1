CREATE TABLE "client_keys" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"wallet_address_id" text COLLATE "C" NOT NULL,
	"kid" text COLLATE "C" NOT NULL,
	"jwk" text COLLATE "C" NOT NULL,
	"thumbprint" text COLLATE "C" NOT NULL,
	"label" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"revoked_at" bigint
);
--> statement-breakpoint
CREATE TABLE "access_tokens" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"grant_id" text COLLATE "C" NOT NULL,
	"token_hash" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"replaced_by" text COLLATE "C",
	"awaits_rotation" bigint NOT NULL,
	"sealed" text COLLATE "C",
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	CONSTRAINT "access_tokens_state" CHECK ("access_tokens"."state" in ('active', 'rotated', 'revoked'))
);
--> statement-breakpoint
CREATE TABLE "client_trust" (
	"client_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"tier" text COLLATE "C" NOT NULL,
	"chosen_at" bigint NOT NULL,
	CONSTRAINT "client_trust_tier" CHECK ("client_trust"."tier" in ('stranger', 'known', 'trusted'))
);
--> statement-breakpoint
CREATE TABLE "grant_spendings" (
	"grant_id" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"window_start" bigint NOT NULL,
	"asset_code" text COLLATE "C" NOT NULL,
	"asset_scale" bigint NOT NULL,
	"spent" text COLLATE "C" NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "grant_spendings_pk" PRIMARY KEY("grant_id","kind","window_start","asset_code","asset_scale"),
	CONSTRAINT "grant_spendings_kind" CHECK ("grant_spendings"."kind" in ('debit', 'receive'))
);
--> statement-breakpoint
CREATE TABLE "grants" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"client_kind" text COLLATE "C" NOT NULL,
	"client_id" text COLLATE "C" NOT NULL,
	"client_jwk" text COLLATE "C",
	"client_name" text COLLATE "C",
	"requested" text COLLATE "C" NOT NULL,
	"granted" text COLLATE "C",
	"subject" text COLLATE "C",
	"wallet_address_id" text COLLATE "C",
	"interactive" bigint NOT NULL,
	"endpoint" text COLLATE "C" NOT NULL,
	"finish_uri" text COLLATE "C",
	"finish_nonce" text COLLATE "C",
	"server_nonce" text COLLATE "C",
	"interaction_id" text COLLATE "C",
	"interaction_nonce_hash" text COLLATE "C",
	"continuation_id" text COLLATE "C" NOT NULL,
	"continuation_hash" text COLLATE "C" NOT NULL,
	"code" text COLLATE "C",
	"wrong_codes" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"opened_at" bigint,
	"decided_at" bigint,
	"lapses_at" bigint,
	"last_continued_at" bigint,
	"expires_at" bigint,
	"last_used_at" bigint,
	CONSTRAINT "grants_state" CHECK ("grants"."state" in ('pending', 'approved', 'issued', 'denied', 'lapsed', 'revoked', 'frozen')),
	CONSTRAINT "grants_client_kind" CHECK ("grants"."client_kind" in ('wallet-address', 'jwk')),
	CONSTRAINT "grants_wrong_codes" CHECK ("grants"."wrong_codes" between 0 and 5)
);
--> statement-breakpoint
CREATE TABLE "seen_signatures" (
	"mark" text COLLATE "C" PRIMARY KEY NOT NULL,
	"made_id" text COLLATE "C"
);
--> statement-breakpoint
CREATE TABLE "stranger_rows" (
	"thing_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"key" text COLLATE "C",
	"origin" text COLLATE "C",
	"network" text COLLATE "C",
	"made_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "backup_schedule" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"folder" text COLLATE "C" NOT NULL,
	"every_hours" bigint NOT NULL,
	"keep" bigint NOT NULL,
	"passphrase" text COLLATE "C" NOT NULL,
	"due_at" bigint NOT NULL,
	"problem" text COLLATE "C"
);
--> statement-breakpoint
CREATE TABLE "backups" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"file" text COLLATE "C" NOT NULL,
	"bytes" bigint NOT NULL,
	"scheduled" bigint NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "checkouts" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"incoming_payment_id" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"reason" text COLLATE "C",
	"visitor_hash" text COLLATE "C" NOT NULL,
	"wallet_address" text COLLATE "C" NOT NULL,
	"amount" bigint NOT NULL,
	"sealed" text COLLATE "C",
	"outgoing_payment" text COLLATE "C",
	"received_before" bigint,
	"tries" bigint NOT NULL,
	"due_at" bigint,
	"claims" bigint DEFAULT 0 NOT NULL,
	"claimed_until" bigint,
	"holder" text COLLATE "C",
	"created_at" bigint NOT NULL,
	"lapses_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "checkouts_state" CHECK ("checkouts"."state" in ('asking', 'approving', 'returned', 'paying', 'paid', 'failed')),
	CONSTRAINT "checkouts_amount" CHECK ("checkouts"."amount" > 0)
);
--> statement-breakpoint
CREATE TABLE "closing_accounts" (
	"closing" bigint NOT NULL,
	"piece" bigint NOT NULL,
	"accounts" text COLLATE "C" NOT NULL,
	CONSTRAINT "closing_accounts_pk" PRIMARY KEY("closing","piece")
);
--> statement-breakpoint
CREATE TABLE "closing_balances" (
	"account_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"balance" text COLLATE "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "day_closings" (
	"number" bigint PRIMARY KEY NOT NULL,
	"request_id" text COLLATE "C" NOT NULL,
	"at" bigint NOT NULL,
	"day" text COLLATE "C" NOT NULL,
	"time_zone" text COLLATE "C" NOT NULL,
	"day_ends_at" bigint NOT NULL,
	"boundary" bigint NOT NULL,
	"event_boundary" bigint NOT NULL,
	"by_name" text COLLATE "C",
	"by_role" text COLLATE "C",
	"figures" text COLLATE "C" NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	CONSTRAINT "day_closings_request_id_unique" UNIQUE("request_id"),
	CONSTRAINT "day_closings_number" CHECK ("day_closings"."number" > 0)
);
--> statement-breakpoint
CREATE TABLE "exchange_fees" (
	"base" text COLLATE "C" NOT NULL,
	"quote" text COLLATE "C" NOT NULL,
	"fixed" text COLLATE "C" NOT NULL,
	"minimum" text COLLATE "C" NOT NULL,
	"share_bps" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "exchange_fees_pk" PRIMARY KEY("base","quote"),
	CONSTRAINT "exchange_fees_pair" CHECK ("exchange_fees"."base" <> "exchange_fees"."quote"),
	CONSTRAINT "exchange_fees_share" CHECK ("exchange_fees"."share_bps" between 0 and 9999)
);
--> statement-breakpoint
CREATE TABLE "followed_rates" (
	"base" text COLLATE "C" NOT NULL,
	"quote" text COLLATE "C" NOT NULL,
	"spread_bps" bigint NOT NULL,
	"max_jump_bps" bigint NOT NULL,
	"max_age_seconds" bigint NOT NULL,
	"falls_back" bigint NOT NULL,
	"rate" text COLLATE "C",
	"source" text COLLATE "C",
	"as_of" bigint,
	"believed_at" bigint,
	"refused" text COLLATE "C",
	"refused_source" text COLLATE "C",
	"refused_as_of" bigint,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "followed_rates_pk" PRIMARY KEY("base","quote"),
	CONSTRAINT "followed_rates_pair" CHECK ("followed_rates"."base" <> "followed_rates"."quote"),
	CONSTRAINT "followed_rates_spread" CHECK ("followed_rates"."spread_bps" between 0 and 9999),
	CONSTRAINT "followed_rates_jump" CHECK ("followed_rates"."max_jump_bps" > 0),
	CONSTRAINT "followed_rates_age" CHECK ("followed_rates"."max_age_seconds" > 0),
	CONSTRAINT "followed_rates_believed" CHECK ("followed_rates"."rate" is null or ("followed_rates"."as_of" is not null and "followed_rates"."believed_at" is not null)),
	CONSTRAINT "followed_rates_refused" CHECK ("followed_rates"."refused" is null or ("followed_rates"."refused_source" is not null and "followed_rates"."refused_as_of" is not null))
);
--> statement-breakpoint
CREATE TABLE "past_rates" (
	"base" text COLLATE "C" NOT NULL,
	"quote" text COLLATE "C" NOT NULL,
	"since" bigint NOT NULL,
	"until" bigint NOT NULL,
	"rate" text COLLATE "C" NOT NULL,
	CONSTRAINT "past_rates_pk" PRIMARY KEY("base","quote","since"),
	CONSTRAINT "past_rates_span" CHECK ("past_rates"."until" >= "past_rates"."since")
);
--> statement-breakpoint
CREATE TABLE "rate_sources" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"url" text COLLATE "C" NOT NULL,
	"base" text COLLATE "C",
	"quote" text COLLATE "C",
	"path" text COLLATE "C",
	"date_path" text COLLATE "C",
	"every_seconds" bigint NOT NULL,
	"is_on" bigint NOT NULL,
	"place" bigint NOT NULL,
	"said" text COLLATE "C",
	"looked_at" bigint,
	"problem" text COLLATE "C",
	"failures" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "rate_sources_kind" CHECK ("rate_sources"."kind" in ('ecb', 'json')),
	CONSTRAINT "rate_sources_json" CHECK ("rate_sources"."kind" = 'ecb' or ("rate_sources"."base" <> "rate_sources"."quote" and "rate_sources"."path" is not null)),
	CONSTRAINT "rate_sources_every" CHECK ("rate_sources"."every_seconds" > 0)
);
--> statement-breakpoint
CREATE TABLE "rates" (
	"base" text COLLATE "C" NOT NULL,
	"quote" text COLLATE "C" NOT NULL,
	"rate" text COLLATE "C" NOT NULL,
	"spread_bps" bigint NOT NULL,
	"source" text COLLATE "C" NOT NULL,
	"as_of" bigint NOT NULL,
	"max_age_seconds" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "rates_pk" PRIMARY KEY("base","quote"),
	CONSTRAINT "rates_pair" CHECK ("rates"."base" <> "rates"."quote"),
	CONSTRAINT "rates_spread" CHECK ("rates"."spread_bps" between 0 and 9999),
	CONSTRAINT "rates_age" CHECK ("rates"."max_age_seconds" > 0)
);
--> statement-breakpoint
CREATE TABLE "activities" (
	"number" bigint PRIMARY KEY NOT NULL,
	"at" bigint NOT NULL,
	"operation" text COLLATE "C" NOT NULL,
	"type" text COLLATE "C" NOT NULL,
	"subject" text COLLATE "C" NOT NULL,
	"wallet_address_id" text COLLATE "C",
	"body" text COLLATE "C" NOT NULL,
	"by_kind" text COLLATE "C",
	"by_id" text COLLATE "C",
	"by_name" text COLLATE "C",
	"by_role" text COLLATE "C",
	"hash" text COLLATE "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "activity_head" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"number" bigint NOT NULL,
	"hash" text COLLATE "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "events" (
	"position" bigint PRIMARY KEY NOT NULL,
	"type" text COLLATE "C" NOT NULL,
	"subject" text COLLATE "C" NOT NULL,
	"wallet_address_id" text COLLATE "C",
	"body" text COLLATE "C" NOT NULL,
	"at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger_accounts" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"asset_code" text COLLATE "C" NOT NULL,
	"asset_scale" bigint NOT NULL,
	"balance" bigint NOT NULL,
	"pending" bigint NOT NULL,
	"overdraft" bigint DEFAULT 0 NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "ledger_accounts_kind" CHECK ("ledger_accounts"."kind" in ('customer', 'escrow', 'exchange', 'peer', 'external')),
	CONSTRAINT "ledger_accounts_pending" CHECK ("ledger_accounts"."pending" >= 0),
	CONSTRAINT "ledger_accounts_not_negative" CHECK ("ledger_accounts"."kind" in ('peer', 'external') or "ledger_accounts"."balance" >= "ledger_accounts"."pending"),
	CONSTRAINT "ledger_accounts_overdraft" CHECK ("ledger_accounts"."overdraft" >= 0)
);
--> statement-breakpoint
CREATE TABLE "ledger_audit" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"good_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger_closings" (
	"account_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"sum" text COLLATE "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger_damages" (
	"owner" text COLLATE "C" NOT NULL,
	"finding" text COLLATE "C" NOT NULL,
	"place" text COLLATE "C" NOT NULL,
	"good_at" bigint,
	"found_at" bigint NOT NULL,
	CONSTRAINT "ledger_damages_pk" PRIMARY KEY("owner","finding")
);
--> statement-breakpoint
CREATE TABLE "ledger_pieces" (
	"number" bigint PRIMARY KEY NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"sums" text COLLATE "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger_quarters" (
	"asset_code" text COLLATE "C" NOT NULL,
	"asset_scale" bigint NOT NULL,
	"start" bigint NOT NULL,
	"received_high" bigint NOT NULL,
	"sent_high" bigint NOT NULL,
	"received_low" bigint NOT NULL,
	"sent_low" bigint NOT NULL,
	CONSTRAINT "ledger_quarters_pk" PRIMARY KEY("asset_code","asset_scale","start")
);
--> statement-breakpoint
CREATE TABLE "ledger_transfers" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"number" bigint,
	"kind" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"debit_account_id" text COLLATE "C" NOT NULL,
	"credit_account_id" text COLLATE "C" NOT NULL,
	"amount" bigint NOT NULL,
	"payment_id" text COLLATE "C",
	"note" text COLLATE "C",
	"created_at" bigint NOT NULL,
	CONSTRAINT "ledger_transfers_amount" CHECK ("ledger_transfers"."amount" > 0),
	CONSTRAINT "ledger_transfers_accounts" CHECK ("ledger_transfers"."debit_account_id" <> "ledger_transfers"."credit_account_id"),
	CONSTRAINT "ledger_transfers_state" CHECK ("ledger_transfers"."state" in ('posted', 'pending', 'voided'))
);
--> statement-breakpoint
CREATE TABLE "second_person_limits" (
	"what" text COLLATE "C" NOT NULL,
	"asset_code" text COLLATE "C" NOT NULL,
	"asset_scale" bigint NOT NULL,
	"above" bigint NOT NULL,
	CONSTRAINT "second_person_limits_pk" PRIMARY KEY("what","asset_code","asset_scale"),
	CONSTRAINT "second_person_above" CHECK ("second_person_limits"."above" >= 0)
);
--> statement-breakpoint
CREATE TABLE "waiting_acts" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"operation" text COLLATE "C" NOT NULL,
	"subject" text COLLATE "C",
	"input" text COLLATE "C" NOT NULL,
	"shown" text COLLATE "C" NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"by_kind" text COLLATE "C" NOT NULL,
	"by_id" text COLLATE "C" NOT NULL,
	"by_name" text COLLATE "C" NOT NULL,
	"by_role" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"decided_by_id" text COLLATE "C",
	"decided_at" bigint,
	CONSTRAINT "waiting_acts_state" CHECK ("waiting_acts"."state" in ('waiting', 'confirmed', 'refused', 'withdrawn', 'lapsed'))
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"role" text COLLATE "C" NOT NULL,
	"groups" text COLLATE "C",
	"accounts" text COLLATE "C",
	"key_hash" text COLLATE "C" NOT NULL,
	"former_hash" text COLLATE "C",
	"former_ends_at" bigint,
	"created_at" bigint NOT NULL,
	"expires_at" bigint,
	"last_used_at" bigint,
	"is_paused" bigint NOT NULL,
	CONSTRAINT "api_keys_key_hash_unique" UNIQUE("key_hash"),
	CONSTRAINT "api_keys_former_hash_unique" UNIQUE("former_hash")
);
--> statement-breakpoint
CREATE TABLE "browser_people" (
	"browser_id" text COLLATE "C" NOT NULL,
	"person_id" text COLLATE "C" NOT NULL,
	"wrong_pins" bigint NOT NULL,
	"signed_in_at" bigint NOT NULL,
	"last_used_at" bigint NOT NULL,
	CONSTRAINT "browser_people_pk" PRIMARY KEY("browser_id","person_id")
);
--> statement-breakpoint
CREATE TABLE "known_browsers" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"secret_hash" text COLLATE "C" NOT NULL,
	"page_hash" text COLLATE "C" NOT NULL,
	"site" text COLLATE "C" NOT NULL,
	"user_agent" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"last_used_at" bigint NOT NULL,
	CONSTRAINT "known_browsers_secret_hash_unique" UNIQUE("secret_hash")
);
--> statement-breakpoint
CREATE TABLE "operator_links" (
	"secret_hash" text COLLATE "C" PRIMARY KEY NOT NULL,
	"person_id" text COLLATE "C",
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "operator_lock" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"salt" text COLLATE "C" NOT NULL,
	"cost_n" bigint NOT NULL,
	"cost_r" bigint NOT NULL,
	"cost_p" bigint NOT NULL,
	"idle_minutes" bigint,
	"at_start" bigint NOT NULL,
	"locked_for" text COLLATE "C",
	"wrong_attempts" bigint NOT NULL,
	"last_attempt_at" bigint
);
--> statement-breakpoint
CREATE TABLE "operator_sessions" (
	"secret_hash" text COLLATE "C" PRIMARY KEY NOT NULL,
	"person_id" text COLLATE "C" DEFAULT 'owner' NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"page_hash" text COLLATE "C" DEFAULT '' NOT NULL,
	"user_agent" text COLLATE "C" DEFAULT '' NOT NULL,
	"site" text COLLATE "C" DEFAULT '' NOT NULL,
	"is_limited" bigint DEFAULT 0 NOT NULL,
	"browser_id" text COLLATE "C",
	"by_pin" bigint DEFAULT 0 NOT NULL,
	"created_at" bigint NOT NULL,
	"last_used_at" bigint NOT NULL,
	CONSTRAINT "operator_sessions_id_unique" UNIQUE("id")
);
--> statement-breakpoint
CREATE TABLE "operator_token" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"token_hash" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"person_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"rp_id" text COLLATE "C" NOT NULL,
	"credential_id" text COLLATE "C" NOT NULL,
	"public_key" text COLLATE "C" NOT NULL,
	"counter" bigint NOT NULL,
	"transports" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"last_used_at" bigint,
	"is_paused" bigint NOT NULL,
	CONSTRAINT "passkeys_credential_id_unique" UNIQUE("credential_id")
);
--> statement-breakpoint
CREATE TABLE "passwords" (
	"person_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"sign_in_name" text COLLATE "C" NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"salt" text COLLATE "C" NOT NULL,
	"cost_n" bigint NOT NULL,
	"cost_r" bigint NOT NULL,
	"cost_p" bigint NOT NULL,
	"totp_secret" text COLLATE "C" NOT NULL,
	"totp_step" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"is_paused" bigint NOT NULL,
	CONSTRAINT "passwords_sign_in_name_unique" UNIQUE("sign_in_name")
);
--> statement-breakpoint
CREATE TABLE "people" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"role" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"removed_at" bigint
);
--> statement-breakpoint
CREATE TABLE "pin_tries" (
	"person_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"wrong" bigint NOT NULL,
	"since" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pins" (
	"person_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"sealed_hash" text COLLATE "C" NOT NULL,
	"salt" text COLLATE "C" NOT NULL,
	"cost_n" bigint NOT NULL,
	"cost_r" bigint NOT NULL,
	"cost_p" bigint NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"code_hash" text COLLATE "C" PRIMARY KEY NOT NULL,
	"person_id" text COLLATE "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sign_in_attempts" (
	"counted" text COLLATE "C" PRIMARY KEY NOT NULL,
	"wrong_in_a_row" bigint NOT NULL,
	"last_attempt_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sign_in_challenges" (
	"challenge_hash" text COLLATE "C" PRIMARY KEY NOT NULL,
	"purpose" text COLLATE "C" NOT NULL,
	"site" text COLLATE "C" NOT NULL,
	"session_id" text COLLATE "C",
	"secret" text COLLATE "C",
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tills" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C",
	"state" text COLLATE "C" NOT NULL,
	"pairing_hash" text COLLATE "C",
	"pairing_ends_at" bigint,
	"secret_hash" text COLLATE "C",
	"page_hash" text COLLATE "C",
	"user_agent" text COLLATE "C" NOT NULL,
	"made_by" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"last_used_at" bigint,
	"removed_at" bigint,
	CONSTRAINT "tills_pairing_hash_unique" UNIQUE("pairing_hash"),
	CONSTRAINT "tills_secret_hash_unique" UNIQUE("secret_hash"),
	CONSTRAINT "tills_state" CHECK ("tills"."state" in ('active', 'paused', 'removed'))
);
--> statement-breakpoint
CREATE TABLE "archived_packets" (
	"outgoing_payment_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"delivered" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "bill_lines" (
	"bill_id" text COLLATE "C" NOT NULL,
	"place" bigint NOT NULL,
	"text" text COLLATE "C" NOT NULL,
	"quantity" bigint NOT NULL,
	"unit_price" bigint NOT NULL,
	"tax_name" text COLLATE "C",
	"tax_rate" bigint,
	"amount" bigint NOT NULL,
	"net" bigint NOT NULL,
	"tax_amount" bigint NOT NULL,
	CONSTRAINT "bill_lines_pk" PRIMARY KEY("bill_id","place"),
	CONSTRAINT "bill_lines_amounts" CHECK ("bill_lines"."unit_price" >= 0 and "bill_lines"."net" >= 0 and "bill_lines"."tax_amount" >= 0),
	CONSTRAINT "bill_lines_tax" CHECK (("bill_lines"."tax_name" is null) = ("bill_lines"."tax_rate" is null))
);
--> statement-breakpoint
CREATE TABLE "bills" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"prices_include_tax" bigint NOT NULL,
	"rounding" text COLLATE "C" NOT NULL,
	"net" bigint NOT NULL,
	"tax_amount" bigint NOT NULL,
	"tip" bigint NOT NULL,
	CONSTRAINT "bills_amounts" CHECK ("bills"."net" >= 0 and "bills"."tax_amount" >= 0 and "bills"."tip" >= 0),
	CONSTRAINT "bills_rounding" CHECK ("bills"."rounding" in ('line', 'total'))
);
--> statement-breakpoint
CREATE TABLE "claim_tries" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"claim_id" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"payer" text COLLATE "C" NOT NULL,
	"finding" text COLLATE "C",
	"said" bigint,
	"visitor_hash" text COLLATE "C" NOT NULL,
	"sealed" text COLLATE "C",
	"tries" bigint NOT NULL,
	"due_at" bigint,
	"holder" text COLLATE "C",
	"created_at" bigint NOT NULL,
	"lapses_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "claim_tries_state" CHECK ("claim_tries"."state" in ('asking', 'approving', 'returned', 'listing', 'deciding', 'refunded', 'refused', 'ended'))
);
--> statement-breakpoint
CREATE TABLE "claims" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"incoming_payment_id" text COLLATE "C" NOT NULL,
	"amount" bigint NOT NULL,
	"reason" text COLLATE "C",
	"by_id" text COLLATE "C" NOT NULL,
	"by_role" text COLLATE "C" NOT NULL,
	"shop_day" text COLLATE "C" NOT NULL,
	"link_hash" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"refusals" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "claims_amount" CHECK ("claims"."amount" > 0),
	CONSTRAINT "claims_state" CHECK ("claims"."state" in ('open', 'deciding', 'refunded', 'cancelled', 'expired', 'refused', 'doubted'))
);
--> statement-breakpoint
CREATE TABLE "payers" (
	"incoming_payment_id" text COLLATE "C" NOT NULL,
	"wallet_address" text COLLATE "C" NOT NULL,
	"amount" bigint NOT NULL,
	"paid_value" bigint,
	"paid_asset_code" text COLLATE "C",
	"paid_asset_scale" bigint,
	"created_at" bigint NOT NULL,
	CONSTRAINT "payers_pk" PRIMARY KEY("incoming_payment_id","wallet_address"),
	CONSTRAINT "payers_amount" CHECK ("payers"."amount" > 0)
);
--> statement-breakpoint
CREATE TABLE "refund_limits" (
	"role" text COLLATE "C" NOT NULL,
	"asset_code" text COLLATE "C" NOT NULL,
	"asset_scale" bigint NOT NULL,
	"per_payment" bigint NOT NULL,
	"per_day" bigint NOT NULL,
	CONSTRAINT "refund_limits_pk" PRIMARY KEY("role","asset_code","asset_scale"),
	CONSTRAINT "refund_limits_amounts" CHECK ("refund_limits"."per_payment" > 0 and "refund_limits"."per_day" > 0)
);
--> statement-breakpoint
CREATE TABLE "refunds" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"incoming_payment_id" text COLLATE "C" NOT NULL,
	"payer" text COLLATE "C" NOT NULL,
	"amount" bigint NOT NULL,
	"receive" bigint,
	"receive_asset_code" text COLLATE "C",
	"receive_asset_scale" bigint,
	"quote_id" text COLLATE "C",
	"reason" text COLLATE "C",
	"by_id" text COLLATE "C",
	"by_role" text COLLATE "C",
	"shop_day" text COLLATE "C",
	"state" text COLLATE "C" NOT NULL,
	"failure" text COLLATE "C",
	"outgoing_payment_id" text COLLATE "C",
	"claimed" text COLLATE "C",
	"bound_to" text COLLATE "C",
	"tries" bigint NOT NULL,
	"due_at" bigint NOT NULL,
	"holder" text COLLATE "C",
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "refunds_amount" CHECK ("refunds"."amount" > 0),
	CONSTRAINT "refunds_receive" CHECK ("refunds"."receive" is null or "refunds"."receive" > 0),
	CONSTRAINT "refunds_state" CHECK ("refunds"."state" in ('pending', 'funded', 'failed', 'doubted')),
	CONSTRAINT "refunds_claimed" CHECK ("refunds"."claimed" is null or "refunds"."claimed" in ('wallet', 'operator')),
	CONSTRAINT "refunds_funded" CHECK (("refunds"."state" = 'funded') = ("refunds"."outgoing_payment_id" is not null))
);
--> statement-breakpoint
CREATE TABLE "incoming_payments" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"wallet_address_id" text COLLATE "C" NOT NULL,
	"client" text COLLATE "C",
	"incoming_amount" text COLLATE "C",
	"received" bigint NOT NULL,
	"completed" bigint NOT NULL,
	"expires_at" bigint,
	"metadata" text COLLATE "C",
	"note" text COLLATE "C",
	"search" text COLLATE "C",
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "incoming_payments_received" CHECK ("incoming_payments"."received" >= 0)
);
--> statement-breakpoint
CREATE TABLE "outgoing_payments" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"wallet_address_id" text COLLATE "C" NOT NULL,
	"quote_id" text COLLATE "C" NOT NULL,
	"client" text COLLATE "C",
	"grant_id" text COLLATE "C",
	"spending_window" bigint,
	"grant_spent_debit" text COLLATE "C",
	"grant_spent_receive" text COLLATE "C",
	"receiver" text COLLATE "C" NOT NULL,
	"receiver_id" text COLLATE "C",
	"bound_to" text COLLATE "C",
	"debit_amount" bigint NOT NULL,
	"receive_amount" bigint NOT NULL,
	"receive_asset_code" text COLLATE "C" NOT NULL,
	"receive_asset_scale" bigint NOT NULL,
	"sent" bigint NOT NULL,
	"delivered" bigint NOT NULL,
	"held" bigint DEFAULT 0 NOT NULL,
	"packets" bigint NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"failure" text COLLATE "C",
	"metadata" text COLLATE "C",
	"search" text COLLATE "C",
	"request_hash" text COLLATE "C",
	"attempt" bigint NOT NULL,
	"holder" text COLLATE "C",
	"fruitless" bigint NOT NULL,
	"due_at" bigint NOT NULL,
	"deadline" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "outgoing_payments_sent" CHECK ("outgoing_payments"."sent" >= 0 and "outgoing_payments"."held" >= 0 and "outgoing_payments"."sent" <= "outgoing_payments"."debit_amount" - "outgoing_payments"."held"),
	CONSTRAINT "outgoing_payments_delivered" CHECK ("outgoing_payments"."delivered" >= 0),
	CONSTRAINT "outgoing_payments_state" CHECK ("outgoing_payments"."state" in ('funded', 'sending', 'retrying', 'settling', 'unknown', 'completed', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "packets" (
	"condition" text COLLATE "C" PRIMARY KEY NOT NULL,
	"outgoing_payment_id" text COLLATE "C" NOT NULL,
	"incoming_payment_id" text COLLATE "C" NOT NULL,
	"amount" bigint NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payment_requests" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"made_at" text COLLATE "C" NOT NULL,
	"note" text COLLATE "C",
	"reference" text COLLATE "C",
	"cancel_reason" text COLLATE "C",
	"due_at" bigint,
	"return_url" text COLLATE "C",
	"till_id" text COLLATE "C",
	"till_name" text COLLATE "C",
	"created_at" bigint NOT NULL,
	CONSTRAINT "payment_requests_made_at" CHECK ("payment_requests"."made_at" in ('desk', 'till'))
);
--> statement-breakpoint
CREATE TABLE "quotes" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"wallet_address_id" text COLLATE "C" NOT NULL,
	"client" text COLLATE "C",
	"receiver" text COLLATE "C" NOT NULL,
	"receiver_id" text COLLATE "C",
	"debit_amount" bigint NOT NULL,
	"receive_amount" bigint NOT NULL,
	"receive_asset_code" text COLLATE "C" NOT NULL,
	"receive_asset_scale" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"outgoing_payment_id" text COLLATE "C",
	CONSTRAINT "quotes_amounts" CHECK ("quotes"."debit_amount" > 0 and "quotes"."receive_amount" > 0)
);
--> statement-breakpoint
CREATE TABLE "peer_acceptances" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"secret_hash" text COLLATE "C" NOT NULL,
	"secret" text COLLATE "C" NOT NULL,
	"nonce_hash" text COLLATE "C" NOT NULL,
	"origin" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"introduction" text COLLATE "C" NOT NULL,
	"asset_code" text COLLATE "C" NOT NULL,
	"asset_scale" bigint NOT NULL,
	"credit_limit" bigint NOT NULL,
	"debt_limit" bigint NOT NULL,
	"ilp_address" text COLLATE "C",
	"outgoing_token" text COLLATE "C",
	"state" text COLLATE "C" NOT NULL,
	"problem" text COLLATE "C",
	"created_at" bigint NOT NULL,
	CONSTRAINT "peer_acceptances_state" CHECK ("peer_acceptances"."state" in ('under_way', 'done', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "peer_invitations" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"secret_hash" text COLLATE "C" NOT NULL,
	"asset_code" text COLLATE "C" NOT NULL,
	"asset_scale" bigint NOT NULL,
	"credit_limit" bigint NOT NULL,
	"introduction" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"acceptance_hash" text COLLATE "C",
	"expires_at" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "peer_invitations_state" CHECK ("peer_invitations"."state" in ('open', 'used', 'cancelled')),
	CONSTRAINT "peer_invitations_used" CHECK (("peer_invitations"."state" = 'used') = ("peer_invitations"."acceptance_hash" is not null))
);
--> statement-breakpoint
CREATE TABLE "peer_conversions" (
	"peer_id" text COLLATE "C" NOT NULL,
	"incoming_payment_id" text COLLATE "C" NOT NULL,
	"rate" text COLLATE "C" NOT NULL,
	"source" bigint NOT NULL,
	"arrived" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "peer_conversions_pk" PRIMARY KEY("peer_id","incoming_payment_id"),
	CONSTRAINT "peer_conversions_sums" CHECK ("peer_conversions"."source" > 0 and "peer_conversions"."arrived" >= 0)
);
--> statement-breakpoint
CREATE TABLE "peer_renewals" (
	"peer_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"own_token" text COLLATE "C" NOT NULL,
	"own_token_hash" text COLLATE "C" NOT NULL,
	"their_token" text COLLATE "C",
	"former_token_hash" text COLLATE "C",
	"former_ends_at" bigint,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "peer_renewals_state" CHECK ("peer_renewals"."state" in ('proposed', 'agreed', 'answered', 'done')),
	CONSTRAINT "peer_renewals_former" CHECK (("peer_renewals"."former_token_hash" is null) = ("peer_renewals"."former_ends_at" is null))
);
--> statement-breakpoint
CREATE TABLE "peers" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"asset_code" text COLLATE "C" NOT NULL,
	"asset_scale" bigint NOT NULL,
	"ilp_address" text COLLATE "C" NOT NULL,
	"routes" text COLLATE "C" NOT NULL,
	"endpoint" text COLLATE "C" NOT NULL,
	"outgoing_token" text COLLATE "C" NOT NULL,
	"incoming_token_hash" text COLLATE "C" NOT NULL,
	"debt_limit" bigint,
	"in_flight" bigint NOT NULL,
	"max_packet_amount" bigint,
	"deduplicates" bigint NOT NULL,
	"last_brought_at" bigint,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "peers_state" CHECK ("peers"."state" in ('active', 'paused', 'removed')),
	CONSTRAINT "peers_in_flight" CHECK ("peers"."in_flight" >= 0)
);
--> statement-breakpoint
CREATE TABLE "received_packets" (
	"peer_id" text COLLATE "C" NOT NULL,
	"condition" text COLLATE "C" NOT NULL,
	"incoming_payment_id" text COLLATE "C",
	"source_amount" bigint NOT NULL,
	"amount" bigint NOT NULL,
	"reply" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "received_packets_pk" PRIMARY KEY("peer_id","condition")
);
--> statement-breakpoint
CREATE TABLE "sent_packets" (
	"condition" text COLLATE "C" PRIMARY KEY NOT NULL,
	"peer_id" text COLLATE "C" NOT NULL,
	"outgoing_payment_id" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"prepare" text COLLATE "C" NOT NULL,
	"source_amount" bigint NOT NULL,
	"peer_amount" bigint NOT NULL,
	"shared_secret" text COLLATE "C",
	"received_from_others" text COLLATE "C",
	"delivered" bigint,
	"code" text COLLATE "C",
	"expires_at" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"ended_at" bigint,
	CONSTRAINT "sent_packets_state" CHECK ("sent_packets"."state" in ('held', 'fulfilled', 'rejected', 'unknown')),
	CONSTRAINT "sent_packets_amounts" CHECK ("sent_packets"."source_amount" > 0 and "sent_packets"."peer_amount" >= 0)
);
--> statement-breakpoint
CREATE TABLE "archive_files" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"month" text COLLATE "C" NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	"bytes" bigint NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"rows" bigint NOT NULL,
	"closed" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "archive_frames" (
	"file" text COLLATE "C" NOT NULL,
	"at" bigint NOT NULL,
	"frame" text COLLATE "C" NOT NULL,
	CONSTRAINT "archive_frames_pk" PRIMARY KEY("file","at")
);
--> statement-breakpoint
CREATE TABLE "node_state" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"generation" bigint NOT NULL,
	"key_id" text COLLATE "C",
	"restored_at" bigint,
	"is_quiet" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "origins" (
	"origin" text COLLATE "C" PRIMARY KEY NOT NULL,
	"since" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "replicas" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"version" text COLLATE "C" NOT NULL,
	"host" text COLLATE "C" NOT NULL,
	"url" text COLLATE "C" NOT NULL,
	"configuration" text COLLATE "C" NOT NULL,
	"started_at" bigint NOT NULL,
	"seen_at" bigint NOT NULL,
	"leaving" bigint NOT NULL,
	"report" text COLLATE "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "disk_days" (
	"day" bigint PRIMARY KEY NOT NULL,
	"bytes" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "retention_clock" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"proven_at" bigint NOT NULL,
	"held_since" bigint
);
--> statement-breakpoint
CREATE TABLE "node_keys" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"sealed" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "print_jobs" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"subject" text COLLATE "C" NOT NULL,
	"number" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"is_copy" bigint,
	"made_at" bigint NOT NULL,
	"ended_at" bigint,
	"claims" bigint NOT NULL,
	"claimed_until" bigint,
	"holder" text COLLATE "C",
	CONSTRAINT "print_jobs_kind" CHECK ("print_jobs"."kind" in ('sale', 'refund', 'test')),
	CONSTRAINT "print_jobs_ended" CHECK (("print_jobs"."state" in ('waiting', 'printing')) = ("print_jobs"."ended_at" is null))
);
--> statement-breakpoint
CREATE TABLE "receipt_printer" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"host" text COLLATE "C" NOT NULL,
	"port" bigint NOT NULL,
	"paper" text COLLATE "C" NOT NULL,
	"language" text COLLATE "C" NOT NULL,
	"prints_since" bigint,
	"tries" bigint NOT NULL,
	"next_try_at" bigint,
	"unanswered_since" bigint,
	"problem" text COLLATE "C"
);
--> statement-breakpoint
CREATE TABLE "receipt_branch" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"branch" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "receipts" (
	"kind" text COLLATE "C" NOT NULL,
	"subject" text COLLATE "C" NOT NULL,
	"year" bigint NOT NULL,
	"branch" bigint NOT NULL,
	"number" bigint NOT NULL,
	"jws" text COLLATE "C" NOT NULL,
	"link_hash" text COLLATE "C" NOT NULL,
	"payers" text COLLATE "C" NOT NULL,
	"printed" bigint NOT NULL,
	"issued_at" bigint NOT NULL,
	CONSTRAINT "receipts_pk" PRIMARY KEY("kind","subject"),
	CONSTRAINT "receipts_kind" CHECK ("receipts"."kind" in ('sale', 'refund')),
	CONSTRAINT "receipts_place" CHECK ("receipts"."number" > 0 and "receipts"."branch" >= 0 and "receipts"."printed" >= 0)
);
--> statement-breakpoint
CREATE TABLE "remote_grants" (
	"auth_server" text COLLATE "C" NOT NULL,
	"wallet_address_id" text COLLATE "C" NOT NULL,
	"access" text COLLATE "C" NOT NULL,
	"token" text COLLATE "C" NOT NULL,
	"manage_url" text COLLATE "C" NOT NULL,
	"expires_at" bigint,
	"updated_at" bigint NOT NULL,
	"claimed_until" bigint,
	"holder" text COLLATE "C",
	CONSTRAINT "remote_grants_pk" PRIMARY KEY("auth_server","wallet_address_id","access")
);
--> statement-breakpoint
CREATE TABLE "products" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"name_key" text COLLATE "C" NOT NULL,
	"price" bigint NOT NULL,
	"asset_code" text COLLATE "C" NOT NULL,
	"asset_scale" bigint NOT NULL,
	"tax_rate_id" text COLLATE "C",
	"code" text COLLATE "C",
	"colour" text COLLATE "C",
	"sales" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "products_price" CHECK ("products"."price" > 0)
);
--> statement-breakpoint
CREATE TABLE "shop_logo" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"type" text COLLATE "C" NOT NULL,
	"data" text COLLATE "C" NOT NULL,
	"dots" text COLLATE "C"
);
--> statement-breakpoint
CREATE TABLE "shop_settings" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"time_zone" text COLLATE "C",
	"till_minutes" bigint,
	"tip_percents" text COLLATE "C",
	"profile" text COLLATE "C",
	"datev" text COLLATE "C"
);
--> statement-breakpoint
CREATE TABLE "wallet_addresses" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"public_name" text COLLATE "C" NOT NULL,
	"asset_code" text COLLATE "C" NOT NULL,
	"asset_scale" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "wallet_addresses_name_unique" UNIQUE("name")
);
--> statement-breakpoint
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_grant_id_grants_id_fk" FOREIGN KEY ("grant_id") REFERENCES "public"."grants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "grant_spendings" ADD CONSTRAINT "grant_spendings_grant_id_grants_id_fk" FOREIGN KEY ("grant_id") REFERENCES "public"."grants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "checkouts" ADD CONSTRAINT "checkouts_incoming_payment_id_incoming_payments_id_fk" FOREIGN KEY ("incoming_payment_id") REFERENCES "public"."incoming_payments"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "closing_accounts" ADD CONSTRAINT "closing_accounts_closing_day_closings_number_fk" FOREIGN KEY ("closing") REFERENCES "public"."day_closings"("number") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "ledger_transfers" ADD CONSTRAINT "ledger_transfers_debit_account_id_ledger_accounts_id_fk" FOREIGN KEY ("debit_account_id") REFERENCES "public"."ledger_accounts"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "ledger_transfers" ADD CONSTRAINT "ledger_transfers_credit_account_id_ledger_accounts_id_fk" FOREIGN KEY ("credit_account_id") REFERENCES "public"."ledger_accounts"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "bill_lines" ADD CONSTRAINT "bill_lines_bill_id_bills_id_fk" FOREIGN KEY ("bill_id") REFERENCES "public"."bills"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "bills" ADD CONSTRAINT "bills_id_incoming_payments_id_fk" FOREIGN KEY ("id") REFERENCES "public"."incoming_payments"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "claim_tries" ADD CONSTRAINT "claim_tries_claim_id_claims_id_fk" FOREIGN KEY ("claim_id") REFERENCES "public"."claims"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "claims" ADD CONSTRAINT "claims_incoming_payment_id_incoming_payments_id_fk" FOREIGN KEY ("incoming_payment_id") REFERENCES "public"."incoming_payments"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "payers" ADD CONSTRAINT "payers_incoming_payment_id_incoming_payments_id_fk" FOREIGN KEY ("incoming_payment_id") REFERENCES "public"."incoming_payments"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_incoming_payment_id_incoming_payments_id_fk" FOREIGN KEY ("incoming_payment_id") REFERENCES "public"."incoming_payments"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_outgoing_payment_id_outgoing_payments_id_fk" FOREIGN KEY ("outgoing_payment_id") REFERENCES "public"."outgoing_payments"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "incoming_payments" ADD CONSTRAINT "incoming_payments_wallet_address_id_wallet_addresses_id_fk" FOREIGN KEY ("wallet_address_id") REFERENCES "public"."wallet_addresses"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "outgoing_payments" ADD CONSTRAINT "outgoing_payments_wallet_address_id_wallet_addresses_id_fk" FOREIGN KEY ("wallet_address_id") REFERENCES "public"."wallet_addresses"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "payment_requests" ADD CONSTRAINT "payment_requests_id_incoming_payments_id_fk" FOREIGN KEY ("id") REFERENCES "public"."incoming_payments"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_wallet_address_id_wallet_addresses_id_fk" FOREIGN KEY ("wallet_address_id") REFERENCES "public"."wallet_addresses"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_receiver_id_incoming_payments_id_fk" FOREIGN KEY ("receiver_id") REFERENCES "public"."incoming_payments"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "peer_conversions" ADD CONSTRAINT "peer_conversions_peer_id_peers_id_fk" FOREIGN KEY ("peer_id") REFERENCES "public"."peers"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "peer_renewals" ADD CONSTRAINT "peer_renewals_peer_id_peers_id_fk" FOREIGN KEY ("peer_id") REFERENCES "public"."peers"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "received_packets" ADD CONSTRAINT "received_packets_peer_id_peers_id_fk" FOREIGN KEY ("peer_id") REFERENCES "public"."peers"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "sent_packets" ADD CONSTRAINT "sent_packets_peer_id_peers_id_fk" FOREIGN KEY ("peer_id") REFERENCES "public"."peers"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "archive_frames" ADD CONSTRAINT "archive_frames_file_archive_files_id_fk" FOREIGN KEY ("file") REFERENCES "public"."archive_files"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE UNIQUE INDEX "client_keys_kid" ON "client_keys" USING btree ("wallet_address_id","kid") WHERE "client_keys"."revoked_at" is null;
--> statement-breakpoint
CREATE INDEX "client_keys_listed" ON "client_keys" USING btree ("wallet_address_id","created_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "access_tokens_hash" ON "access_tokens" USING btree ("token_hash");
--> statement-breakpoint
CREATE UNIQUE INDEX "access_tokens_living" ON "access_tokens" USING btree ("grant_id") WHERE "access_tokens"."state" = 'active';
--> statement-breakpoint
CREATE INDEX "access_tokens_grant" ON "access_tokens" USING btree ("grant_id","created_at","id");
--> statement-breakpoint
CREATE INDEX "access_tokens_ended" ON "access_tokens" USING btree ("expires_at") WHERE "access_tokens"."state" <> 'active';
--> statement-breakpoint
CREATE UNIQUE INDEX "access_tokens_own" ON "access_tokens" USING btree ("grant_id","id");
--> statement-breakpoint
CREATE INDEX "grants_continuation" ON "grants" USING btree ("continuation_hash");
--> statement-breakpoint
CREATE INDEX "grants_interaction" ON "grants" USING btree ("interaction_nonce_hash") WHERE "grants"."interaction_nonce_hash" is not null;
--> statement-breakpoint
CREATE INDEX "grants_listed" ON "grants" USING btree ("created_at","id");
--> statement-breakpoint
CREATE INDEX "grants_interactive" ON "grants" USING btree ("created_at","id") WHERE "grants"."interactive" = 1;
--> statement-breakpoint
CREATE INDEX "grants_used" ON "grants" USING btree ((case when "last_used_at" is null then "created_at" else "last_used_at" end),"id") WHERE "grants"."interactive" = 1;
--> statement-breakpoint
CREATE INDEX "grants_named" ON "grants" USING btree ("client_id","id") WHERE "grants"."interactive" = 1;
--> statement-breakpoint
CREATE INDEX "grants_client" ON "grants" USING btree ("client_id","state");
--> statement-breakpoint
CREATE INDEX "grants_frozen" ON "grants" USING btree ("created_at","id") WHERE "grants"."state" = 'frozen' and "grants"."interactive" = 1;
--> statement-breakpoint
CREATE INDEX "grants_waiting" ON "grants" USING btree ("state","lapses_at") WHERE "grants"."state" in ('pending', 'approved');
--> statement-breakpoint
CREATE INDEX "stranger_rows_key" ON "stranger_rows" USING btree ("key");
--> statement-breakpoint
CREATE INDEX "stranger_rows_origin" ON "stranger_rows" USING btree ("origin");
--> statement-breakpoint
CREATE INDEX "stranger_rows_network" ON "stranger_rows" USING btree ("network");
--> statement-breakpoint
CREATE INDEX "stranger_rows_made" ON "stranger_rows" USING btree ("made_at","thing_id");
--> statement-breakpoint
CREATE INDEX "backups_age" ON "backups" USING btree ("created_at");
--> statement-breakpoint
CREATE INDEX "checkouts_payment" ON "checkouts" USING btree ("incoming_payment_id","created_at");
--> statement-breakpoint
CREATE INDEX "checkouts_failed" ON "checkouts" USING btree ("updated_at") WHERE "checkouts"."state" = 'failed' and "checkouts"."outgoing_payment" is null;
--> statement-breakpoint
CREATE INDEX "checkouts_open" ON "checkouts" USING btree ("lapses_at") WHERE "checkouts"."state" in ('asking', 'approving', 'returned', 'paying');
--> statement-breakpoint
CREATE INDEX "activities_subject" ON "activities" USING btree ("subject");
--> statement-breakpoint
CREATE INDEX "events_subject" ON "events" USING btree ("subject","type","position");
--> statement-breakpoint
CREATE INDEX "events_passing" ON "events" USING btree ("at") WHERE substr("events"."type", 1, 8) not in ('incoming', 'outgoing');
--> statement-breakpoint
CREATE INDEX "ledger_accounts_asset" ON "ledger_accounts" USING btree ("asset_code","asset_scale");
--> statement-breakpoint
CREATE INDEX "ledger_accounts_exchange" ON "ledger_accounts" USING btree ("asset_code","asset_scale") WHERE "ledger_accounts"."kind" = 'exchange';
--> statement-breakpoint
CREATE INDEX "ledger_transfers_debit" ON "ledger_transfers" USING btree ("debit_account_id","created_at") WHERE substr("ledger_transfers"."debit_account_id", 1, 7) <> 'escrow:';
--> statement-breakpoint
CREATE INDEX "ledger_transfers_credit" ON "ledger_transfers" USING btree ("credit_account_id","created_at") WHERE substr("ledger_transfers"."credit_account_id", 1, 7) <> 'escrow:';
--> statement-breakpoint
CREATE INDEX "ledger_transfers_payment" ON "ledger_transfers" USING btree ("payment_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_transfers_number" ON "ledger_transfers" USING btree ("number");
--> statement-breakpoint
CREATE INDEX "ledger_transfers_unnumbered" ON "ledger_transfers" USING btree ("created_at","id") WHERE "ledger_transfers"."number" is null;
--> statement-breakpoint
CREATE INDEX "ledger_transfers_growing" ON "ledger_transfers" USING btree ("payment_id") WHERE coalesce("ledger_transfers"."number", 0) = 0 and "ledger_transfers"."state" = 'posted';
--> statement-breakpoint
CREATE INDEX "ledger_transfers_grown" ON "ledger_transfers" USING btree ("created_at","id") WHERE coalesce("ledger_transfers"."number", 0) = 0 and "ledger_transfers"."state" = 'posted';
--> statement-breakpoint
CREATE INDEX "waiting_acts_state" ON "waiting_acts" USING btree ("state","created_at");
--> statement-breakpoint
CREATE INDEX "waiting_acts_created" ON "waiting_acts" USING btree ("created_at");
--> statement-breakpoint
CREATE INDEX "claim_tries_claim" ON "claim_tries" USING btree ("claim_id","created_at");
--> statement-breakpoint
CREATE INDEX "claim_tries_lapsing" ON "claim_tries" USING btree ("lapses_at") WHERE "claim_tries"."state" in ('asking', 'approving', 'returned', 'listing');
--> statement-breakpoint
CREATE INDEX "claim_tries_deciding" ON "claim_tries" USING btree ("updated_at") WHERE "claim_tries"."state" = 'deciding';
--> statement-breakpoint
CREATE INDEX "claims_payment" ON "claims" USING btree ("incoming_payment_id","created_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "claims_link" ON "claims" USING btree ("link_hash");
--> statement-breakpoint
CREATE UNIQUE INDEX "claims_one" ON "claims" USING btree ("incoming_payment_id") WHERE "claims"."state" in ('open', 'deciding');
--> statement-breakpoint
CREATE INDEX "claims_made" ON "claims" USING btree ("by_id","shop_day") WHERE "claims"."state" in ('open', 'deciding', 'doubted');
--> statement-breakpoint
CREATE INDEX "claims_ending" ON "claims" USING btree ("expires_at") WHERE "claims"."state" in ('open', 'deciding');
--> statement-breakpoint
CREATE INDEX "refunds_payment" ON "refunds" USING btree ("incoming_payment_id","created_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_outgoing" ON "refunds" USING btree ("outgoing_payment_id") WHERE "refunds"."outgoing_payment_id" is not null;
--> statement-breakpoint
CREATE INDEX "refunds_asked" ON "refunds" USING btree ("by_id","shop_day");
--> statement-breakpoint
CREATE INDEX "refunds_due" ON "refunds" USING btree ("due_at","id") WHERE "refunds"."state" = 'pending';
--> statement-breakpoint
CREATE INDEX "incoming_payments_listed" ON "incoming_payments" USING btree ("wallet_address_id","created_at");
--> statement-breakpoint
CREATE INDEX "incoming_payments_own" ON "incoming_payments" USING btree ("wallet_address_id","client","created_at") WHERE "incoming_payments"."client" is not null;
--> statement-breakpoint
CREATE INDEX "incoming_payments_created" ON "incoming_payments" USING btree ("created_at","id","wallet_address_id","client","incoming_amount");
--> statement-breakpoint
CREATE INDEX "incoming_payments_state" ON "incoming_payments" USING btree ("completed","created_at","id") WHERE "incoming_payments"."received" = 0;
--> statement-breakpoint
CREATE INDEX "incoming_payments_unsearched" ON "incoming_payments" USING btree ("id") WHERE "incoming_payments"."search" is null;
--> statement-breakpoint
CREATE INDEX "incoming_payments_unpaid" ON "incoming_payments" USING btree ("expires_at","id") WHERE "incoming_payments"."received" = 0 and "incoming_payments"."client" is not null;
--> statement-breakpoint
CREATE INDEX "incoming_payments_business" ON "incoming_payments" USING btree ("created_at","id") WHERE "incoming_payments"."client" is null or "incoming_payments"."received" > 0;
--> statement-breakpoint
CREATE INDEX "incoming_payments_not_paid" ON "incoming_payments" USING btree ("created_at","id") WHERE "incoming_payments"."client" is not null and "incoming_payments"."received" = 0;
--> statement-breakpoint
CREATE INDEX "incoming_payments_requested" ON "incoming_payments" USING btree ("completed","created_at","id") WHERE "incoming_payments"."client" is null and "incoming_payments"."completed" = 0;
--> statement-breakpoint
CREATE UNIQUE INDEX "outgoing_payments_request" ON "outgoing_payments" USING btree ("request_hash") WHERE "outgoing_payments"."request_hash" is not null;
--> statement-breakpoint
CREATE INDEX "outgoing_payments_listed" ON "outgoing_payments" USING btree ("wallet_address_id","created_at");
--> statement-breakpoint
CREATE INDEX "outgoing_payments_own" ON "outgoing_payments" USING btree ("wallet_address_id","client","created_at") WHERE "outgoing_payments"."client" is not null;
--> statement-breakpoint
CREATE INDEX "outgoing_payments_created" ON "outgoing_payments" USING btree ("created_at","id","wallet_address_id","client","debit_amount");
--> statement-breakpoint
CREATE INDEX "outgoing_payments_state" ON "outgoing_payments" USING btree ("state","created_at","id") WHERE "outgoing_payments"."state" <> 'completed';
--> statement-breakpoint
CREATE INDEX "outgoing_payments_unsearched" ON "outgoing_payments" USING btree ("id") WHERE "outgoing_payments"."search" is null;
--> statement-breakpoint
CREATE INDEX "outgoing_payments_receiver" ON "outgoing_payments" USING btree ("receiver_id") WHERE "outgoing_payments"."receiver_id" is not null;
--> statement-breakpoint
CREATE INDEX "outgoing_payments_grant" ON "outgoing_payments" USING btree ("grant_id","created_at") WHERE "outgoing_payments"."grant_id" is not null;
--> statement-breakpoint
CREATE INDEX "outgoing_payments_failed" ON "outgoing_payments" USING btree ("updated_at") WHERE "outgoing_payments"."state" = 'failed';
--> statement-breakpoint
CREATE INDEX "outgoing_payments_remote" ON "outgoing_payments" USING btree ("receiver","updated_at") WHERE "outgoing_payments"."receiver_id" is null;
--> statement-breakpoint
CREATE INDEX "outgoing_payments_due" ON "outgoing_payments" USING btree ("due_at","id") WHERE "outgoing_payments"."state" in ('funded', 'sending', 'retrying', 'settling');
--> statement-breakpoint
CREATE INDEX "packets_made" ON "packets" USING btree ("created_at","condition");
--> statement-breakpoint
CREATE INDEX "payment_requests_made" ON "payment_requests" USING btree ("made_at","created_at","id");
--> statement-breakpoint
CREATE INDEX "payment_requests_till" ON "payment_requests" USING btree ("till_id","created_at","id") WHERE "payment_requests"."till_id" is not null;
--> statement-breakpoint
CREATE INDEX "quotes_receiver" ON "quotes" USING btree ("receiver_id");
--> statement-breakpoint
CREATE INDEX "quotes_unused" ON "quotes" USING btree ("expires_at") WHERE "quotes"."outgoing_payment_id" is null;
--> statement-breakpoint
CREATE UNIQUE INDEX "peer_acceptances_secret" ON "peer_acceptances" USING btree ("secret_hash");
--> statement-breakpoint
CREATE UNIQUE INDEX "peer_acceptances_nonce" ON "peer_acceptances" USING btree ("nonce_hash");
--> statement-breakpoint
CREATE INDEX "peer_acceptances_begun" ON "peer_acceptances" USING btree ("created_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "peer_invitations_secret" ON "peer_invitations" USING btree ("secret_hash");
--> statement-breakpoint
CREATE INDEX "peer_invitations_ends" ON "peer_invitations" USING btree ("expires_at");
--> statement-breakpoint
CREATE INDEX "peer_conversions_updated" ON "peer_conversions" USING btree ("updated_at");
--> statement-breakpoint
CREATE INDEX "peer_renewals_open" ON "peer_renewals" USING btree ("updated_at") WHERE "peer_renewals"."state" in ('proposed', 'agreed');
--> statement-breakpoint
CREATE INDEX "peers_listed" ON "peers" USING btree ("created_at","id") WHERE "peers"."state" <> 'removed';
--> statement-breakpoint
CREATE INDEX "peers_brought" ON "peers" USING btree ("last_brought_at") WHERE "peers"."last_brought_at" is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX "peers_incoming_token" ON "peers" USING btree ("incoming_token_hash") WHERE "peers"."state" <> 'removed';
--> statement-breakpoint
CREATE INDEX "received_packets_payment" ON "received_packets" USING btree ("incoming_payment_id","created_at") WHERE "received_packets"."incoming_payment_id" is not null;
--> statement-breakpoint
CREATE INDEX "received_packets_rejected" ON "received_packets" USING btree ("created_at") WHERE "received_packets"."incoming_payment_id" is null;
--> statement-breakpoint
CREATE INDEX "sent_packets_payment" ON "sent_packets" USING btree ("outgoing_payment_id","created_at");
--> statement-breakpoint
CREATE INDEX "sent_packets_open" ON "sent_packets" USING btree ("outgoing_payment_id") WHERE "sent_packets"."state" in ('held', 'unknown');
--> statement-breakpoint
CREATE INDEX "archive_files_month" ON "archive_files" USING btree ("month","id");
--> statement-breakpoint
CREATE INDEX "print_jobs_under_way" ON "print_jobs" USING btree ("made_at","id") WHERE "print_jobs"."ended_at" is null;
--> statement-breakpoint
CREATE INDEX "print_jobs_ended" ON "print_jobs" USING btree ("ended_at","id") WHERE "print_jobs"."ended_at" is not null;
--> statement-breakpoint
CREATE INDEX "print_jobs_subject" ON "print_jobs" USING btree ("kind","subject","made_at","id");
--> statement-breakpoint
CREATE UNIQUE INDEX "receipts_number" ON "receipts" USING btree ("kind","year","branch","number");
--> statement-breakpoint
CREATE UNIQUE INDEX "receipts_link" ON "receipts" USING btree ("link_hash");
--> statement-breakpoint
CREATE INDEX "remote_grants_age" ON "remote_grants" USING btree ("updated_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "products_code" ON "products" USING btree ("code");
--> statement-breakpoint
CREATE INDEX "products_name" ON "products" USING btree ("name_key","id");
--> statement-breakpoint
CREATE INDEX "products_sales" ON "products" USING btree ("asset_code","asset_scale","sales","id");
--> statement-breakpoint
CREATE INDEX "wallet_addresses_listed" ON "wallet_addresses" USING btree ("created_at","id");
--> statement-breakpoint
CREATE TABLE "turns" (
	"id" bigint PRIMARY KEY CHECK ("id" = 1),
	"term" bigint NOT NULL,
	"oldest_reader" bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 10);
--> statement-breakpoint
CREATE TABLE "turn_writers" (
	"writer" text COLLATE "C" PRIMARY KEY,
	"batch" bigint NOT NULL,
	"at" bigint NOT NULL
) WITH (fillfactor = 50);
--> statement-breakpoint
INSERT INTO "turns" ("id", "term") VALUES (1, 0);
