CREATE TABLE `archived_packets` (
	`outgoing_payment_id` text PRIMARY KEY NOT NULL,
	`delivered` integer NOT NULL
) STRICT;
--> statement-breakpoint
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
DROP INDEX `grants_frozen`;--> statement-breakpoint
CREATE INDEX `grants_frozen` ON `grants` (`created_at`,`id`) WHERE "grants"."state" = 'frozen' and "grants"."interactive" = 1;--> statement-breakpoint
ALTER TABLE `checkouts` ADD `claims` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `checkouts` ADD `claimed_until` integer;--> statement-breakpoint
ALTER TABLE `node_state` ADD `is_quiet` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `packets_made` ON `packets` (`created_at`,`condition`);