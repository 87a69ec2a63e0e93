#!/usr/bin/env ruby
# Parse access log files and print what an operator wants to know first.

require "time"

LINE = /\A(?<host>\S+) \S+ \S+ \[(?<time>[^\]]+)\] "(?<verb>[A-Z]+) (?<path>\S+)[^"]*" (?<status>\d{3}) (?<bytes>\d+|-)/

Entry = Struct.new(:host, :time, :verb, :path, :status, :bytes)

def entries(files)
  return to_enum(:entries, files) unless block_given?

  files.each do |file|
    File.foreach(file) do |line|
      found = LINE.match(line) or next
      yield Entry.new(found[:host], Time.strptime(found[:time], "%d/%b/%Y:%H:%M:%S %z"),
                      found[:verb], found[:path], found[:status].to_i, found[:bytes].to_i)
    end
  end
end

def top(title, counts, limit = 10)
  puts title
  counts.sort_by { |name, count| [-count, name] }.first(limit).each do |name, count|
    puts format("  %7d  %s", count, name)
  end
end

abort "usage: log_analyzer.rb LOGFILE..." if ARGV.empty?

by_path = Hash.new(0)
failures = Hash.new(0)
by_hour = Hash.new(0)
entries(ARGV) do |entry|
  by_path[entry.path] += 1
  by_hour[entry.time.strftime("%H:00")] += 1
  failures["#{entry.status} #{entry.path}"] += 1 if entry.status >= 500
end

top "Most asked paths", by_path
top "Failures", failures
top "Busiest hours", by_hour, 24
