CREATE TABLE `archived_packets` (
	`outgoing_payment_id` text PRIMARY KEY NOT NULL,
	`delivered` integer NOT NULL
) STRICT;
--> statement-breakpoint
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
ALTER TABLE `node_state` ADD `is_quiet` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `packets_made` ON `packets` (`created_at`,`condition`);