// Reads the configuration of the application from JSON or YAML files.
//
// parseConfig() is what the rest of the program calls. It looks at the ending of the file,
// lets readJsonFile() or readYamlFile() turn it into a tree, and hands the tree to
// loadSettings(), which fills a Config and applies the defaults.

#include "myapp.h"

#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>

#include <nlohmann/json.hpp>
#include <yaml-cpp/yaml.h>

namespace myapp {

namespace {

const std::set<std::string> kKnownKeys = {
    "port", "workers", "log_level", "cache_size_mb", "allowed_origins", "feature_flags",
};

nlohmann::json readJsonFile(const std::string& path) {
    std::ifstream stream(path);
    if (!stream) {
        throw std::runtime_error("cannot open configuration file " + path);
    }
    // Comments are allowed: people annotate their config files.
    return nlohmann::json::parse(stream, nullptr, true, true);
}

nlohmann::json readYamlFile(const std::string& path) {
    nlohmann::json tree;
    for (const auto& entry : YAML::LoadFile(path)) {
        const auto key = entry.first.as<std::string>();
        if (entry.second.IsSequence()) {
            tree[key] = entry.second.as<std::vector<std::string>>();
        } else {
            tree[key] = entry.second.as<std::string>();
        }
    }
    return tree;
}

bool endsWith(const std::string& text, const std::string& ending) {
    return text.size() >= ending.size() &&
           text.compare(text.size() - ending.size(), ending.size(), ending) == 0;
}

void rejectUnknownKeys(const nlohmann::json& tree) {
    for (const auto& [key, value] : tree.items()) {
        if (kKnownKeys.count(key) == 0) {
            throw std::invalid_argument("unknown configuration key '" + key + "'");
        }
    }
}

Config loadSettings(const nlohmann::json& tree) {
    Config config;
    config.port = tree.value("port", 8080);
    config.workers = tree.value("workers", 4);
    config.logLevel = tree.value("log_level", std::string("info"));
    config.cacheSizeMb = tree.value("cache_size_mb", 64);
    config.allowedOrigins = tree.value("allowed_origins", std::vector<std::string>{});
    if (config.port <= 0 || config.port > 65535) {
        throw std::invalid_argument("port must be between 1 and 65535");
    }
    return config;
}

}  // namespace

Config parseConfig(const std::string& path) {
    const bool yaml = endsWith(path, ".yml") || endsWith(path, ".yaml");
    const nlohmann::json tree = yaml ? readYamlFile(path) : readJsonFile(path);
    rejectUnknownKeys(tree);
    return loadSettings(tree);
}

}  // namespace myapp
