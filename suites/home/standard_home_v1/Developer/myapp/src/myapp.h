// What the parts of the catalogue service share.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace myapp {

struct Config {
    int port = 8080;
    int workers = 4;
    int cacheSizeMb = 64;
    std::string logLevel = "info";
    std::vector<std::string> allowedOrigins;
};

Config parseConfig(const std::string& path);

class WorkerPool {
public:
    explicit WorkerPool(int size);
    void start();
    int pending() const;
    void drain(std::chrono::seconds limit);
};

}  // namespace myapp
