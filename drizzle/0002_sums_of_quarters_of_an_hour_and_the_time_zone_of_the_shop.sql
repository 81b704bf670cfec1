DROP TABLE `ledger_days`;
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
